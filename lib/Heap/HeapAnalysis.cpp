//===- HeapAnalysis.cpp ---------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Heap/HeapAnalysis.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>

using namespace llvm;
using namespace warpo;

// Limit of everything live at a time, so that no sum of live amounts exceeds 64 bits.
static constexpr uint64_t maxLive = uint64_t(1) << 62;

// Each takes some hundred bytes: a damaged record must not create millions of memories.
static constexpr size_t maxMemories = 1 << 16;

// Limits the map for a record without time, whose events are all simultaneous.
static constexpr size_t maxEarly = 1 << 16;

// Limits the list of wrong frees.
static constexpr size_t maxWrongFrees = 1 << 12;

// How many events ahead the slot and then the object of an event are prefetched.
static constexpr size_t slotDistance = 16, objectDistance = 8;

// Every second point is dropped when there are too many, so that a run of any length has 8 to 16.
static constexpr size_t maxPoints = 16;

HeapAmount HeapAmount::ofSampled(uint64_t size, uint64_t interval) {
  // An object of 0 bytes is never sampled; if a record has one nevertheless, it counts like one of
  // 1 byte.
  double chance = -std::expm1(-double(std::max<uint64_t>(size, 1)) / double(interval));
  // Saturates above maxLive.
  auto rounded = [](double number) { return uint64_t(std::min(std::round(number), 0x1p63)); };
  return {rounded(double(partsOfObject) / chance), rounded(double(size) / chance)};
}

void HeapPath::operator+=(const HeapPath &more) {
  allocated += more.allocated;
  live += more.live;
  atPeak += more.atPeak;
  atTime += more.atTime;
  oldest = std::max(oldest, more.oldest);
  oldestBytes = std::max(oldestBytes, more.oldestBytes);
  grown = SaturatingAdd(grown, more.grown);
  tablesGrown = SaturatingAdd(tablesGrown, more.tablesGrown);
  for (auto [sum, bytes] : zip_equal(course, more.course))
    sum += bytes;
}

bool HeapPath::growsSteadily() const {
  // A path that began later has fewer points.
  if (course.size() < 8 || course.back() == 0 || *llvm::max_element(course) != course.back())
    return false;
  size_t growths = 0;
  for (size_t i = 1; i < course.size(); ++i)
    growths += course[i] > course[i - 1];
  return growths * 4 >= (course.size() - 1) * 3;
}

HeapAnalysis::Stream &HeapAnalysis::streamOf(uint32_t stream, uint64_t interval) {
  if (streams_.size() <= stream)
    streams_.resize(stream + 1);
  Stream &state = streams_[stream];
  if (state.intervalNumber == UINT32_MAX || state.interval != interval) {
    state.interval = interval;
    state.intervalNumber =
        intervals_.try_emplace(interval, uint32_t(intervals_.size())).first->second;
    isSampled_ |= interval != 0;
  }
  return state;
}

HeapAnalysis::Memory *HeapAnalysis::memoryOf(uint32_t number) {
  if (lastMemory_ && lastMemoryNumber_ == number)
    return lastMemory_;
  auto known = memories_.find(number);
  if (known == memories_.end()) {
    if (memories_.size() == maxMemories)
      return nullptr;
    known = memories_.try_emplace(number, std::make_unique<Memory>()).first;
  }
  lastMemoryNumber_ = number;
  return lastMemory_ = known->second.get();
}

uint32_t HeapAnalysis::siteOf(const Stream &stream, uint32_t stack) {
  if (stream.intervalNumber == 0 && siteOfStack_.size() <= stack)
    siteOfStack_.resize(std::max<size_t>(stack + 1, siteOfStack_.size() * 2));
  uint32_t &site = stream.intervalNumber == 0
                       ? siteOfStack_[stack]
                       : otherSites_[uint64_t(stream.intervalNumber) << 32 | stack];
  if (site == 0) {
    Site &added = sites_.emplace_back();
    added.stack = stack;
    added.interval = stream.interval;
    added.peak = peak_;
    site = uint32_t(sites_.size());
  }
  return site - 1;
}

void HeapAnalysis::take(const LiveObject &object, bool isTemporary) {
  Site &site = sites_[object.path];
  HeapAmount amount = HeapAmount::of(object.size, site.interval);
  touch(site);
  site.live -= amount;
  now_.live -= amount;
  totals_.lifetimes.add(bytesSoFar_ - object.born, amount);
  if (isTemporary)
    totals_.temporary += amount;
}

bool HeapAnalysis::isLate(uint32_t stream, Memory &memory, uint64_t address) {
  if (memory.owed.empty())
    return false;
  auto owed = memory.owed.find(address);
  // The stream that allocated last may free its own object before that.
  if (owed == memory.owed.end() || owed->second.second == stream)
    return false;
  if (--owed->second.first == 0)
    memory.owed.erase(owed);
  --totals_.givenOutTwice;
  return true;
}

void HeapAnalysis::release(uint32_t stream, Memory &memory, const HeapEvent &event,
                           uint64_t address, const Stream *fresh) {
  if (address == 0 || isLate(stream, memory, address))
    return;
  std::optional<LiveObject> object = memory.objects.erase(address);
  if (!object) {
    missing(stream, memory, event, address);
    return;
  }
  take(*object, fresh && fresh->time == object->time && fresh->born == object->born);
  memory.freed.add({address, sites_[object->path].stack, event.stack});
}

static std::array<uint32_t, 4> keyOf(const WrongFrees &wrong) {
  return {wrong.isAgain, wrong.stack, wrong.allocatedBy, wrong.freedBy};
}

uint32_t HeapAnalysis::listWrong(uint32_t stack, const FreedObject *before) {
  WrongFrees wrong{.isAgain = before != nullptr, .stack = stack};
  if (before) {
    wrong.allocatedBy = before->allocatedBy;
    wrong.freedBy = before->freedBy;
  }
  auto known = wrongFreesBy_.find(keyOf(wrong));
  if (known == wrongFreesBy_.end()) {
    if (wrongFrees_.size() == maxWrongFrees)
      return notListed;
    known = wrongFreesBy_.try_emplace(keyOf(wrong), uint32_t(wrongFrees_.size())).first;
    wrongFrees_.push_back(wrong);
  }
  ++wrongFrees_[known->second].count;
  return known->second;
}

void HeapAnalysis::missing(uint32_t stream, Memory &memory, const HeapEvent &event,
                           uint64_t address) {
  // The freed object may not have been sampled, and is unknown then.
  if (streams_[stream].interval != 0)
    return;
  const FreedObject *before = memory.freed.find(address);
  auto count = before               ? &HeapTotals::freedAgain
               : options_.beganLate ? &HeapTotals::freedFromBefore
                                    : &HeapTotals::neverAllocated;
  ++(totals_.*count);
  uint32_t wrong =
      count == &HeapTotals::freedFromBefore ? notListed : listWrong(event.stack, before);
  // A cleared map keeps its buckets, and would take as long to be cleared again.
  if (memory.earlyTime != event.time)
    memory.early = decltype(memory.early)();
  memory.earlyTime = event.time;
  if (memory.early.size() < maxEarly)
    memory.early.try_emplace(address, stream, event.stack, count, wrong);
}

std::optional<uint32_t> HeapAnalysis::freedEarlyBy(uint32_t stream, Memory &memory,
                                                   uint64_t address) {
  auto early = memory.early.find(address);
  if (early == memory.early.end() || early->second.stream == stream)
    return std::nullopt;
  --(totals_.*early->second.total);
  if (early->second.wrong != notListed)
    --wrongFrees_[early->second.wrong].count;
  uint32_t stack = early->second.stack;
  memory.early.erase(early);
  return stack;
}

void HeapAnalysis::allocate(uint32_t stream, Stream &state, Memory &memory, const HeapEvent &event,
                            uint64_t address) {
  HeapAmount amount = HeapAmount::of(event.size, state.interval);
  if (memory.objects.isFull() || amount.bytes > maxLive - std::min(now_.live.bytes, maxLive) ||
      amount.parts > maxLive - std::min(now_.live.parts, maxLive)) {
    ++totals_.tooLarge;
    return;
  }
  uint32_t number = siteOf(state, event.stack);
  // In a sampled heap the next event is only the next sampled one.
  state.isFresh = state.interval == 0;
  state.memory = event.memory;
  state.address = address;
  state.time = event.time;
  state.born = bytesSoFar_;
  std::optional<LiveObject> before =
      memory.objects.insert(address, {event.size, event.time, bytesSoFar_, number});
  if (before)
    take(*before, /*isTemporary=*/false);
  // The free of the previous object will come from another thread, or never. Allocators may have
  // one address for all objects of no size, which are never freed, as __wbindgen_malloc has.
  if (before && (before->size != 0 || event.size != 0)) {
    ++memory.owed[address].first;
    ++totals_.givenOutTwice;
  }
  if (!memory.owed.empty())
    if (auto owed = memory.owed.find(address); owed != memory.owed.end())
      owed->second.second = stream;
  Site &site = sites_[number];
  touch(site);
  site.allocated += amount;
  site.live += amount;
  now_.live += amount;
  totals_.sizes.add(event.size, amount);
  bytesSoFar_ = SaturatingAdd(bytesSoFar_, amount.bytes);
  if (memory.early.empty() || memory.earlyTime != event.time)
    return;
  if (auto freedBy = freedEarlyBy(stream, memory, address)) {
    state.isFresh = false;
    take(*memory.objects.erase(address), /*isTemporary=*/false);
    memory.freed.add({address, event.stack, *freedBy});
  }
}

void HeapAnalysis::grow(Memory &memory, Stream &state, const HeapEvent &event) {
  uint64_t before = std::exchange(memory.size, event.size);
  // A saturated sum may be less than one of its parts.
  now_.memory = SaturatingAdd(now_.memory - std::min(now_.memory, before), event.size);
  if (!std::exchange(memory.isKnown, true)) {
    bool isFirst = !totals_.sawAllocators() && totals_.growths == 0;
    // Other memories were created later.
    if (isFirst || event.time == totals_.start.time)
      totals_.start.memory = SaturatingAdd(totals_.start.memory, event.size);
    return;
  }
  // A grow by 0 pages is reported too.
  if (event.size <= before)
    return;
  ++totals_.growths;
  Site &site = sites_[siteOf(state, event.stack)];
  site.grown = SaturatingAdd(site.grown, event.size - before);
}

void HeapAnalysis::growTable(Stream &state, const HeapEvent &event) {
  state.isFresh = false;
  auto known = tables_.find(event.memory);
  if (known == tables_.end() && tables_.size() == maxMemories) {
    ++totals_.tooLarge;
    return;
  }
  if (known == tables_.end()) {
    tables_.try_emplace(event.memory, event.size);
    now_.tables = SaturatingAdd(now_.tables, event.size);
    totals_.start.tables = SaturatingAdd(totals_.start.tables, event.size);
    return;
  }
  uint64_t before = std::exchange(known->second, event.size);
  now_.tables = SaturatingAdd(now_.tables - std::min(now_.tables, before), event.size);
  if (event.size <= before)
    return;
  ++totals_.tableGrowths;
  Site &site = sites_[siteOf(state, event.stack)];
  site.tablesGrown = SaturatingAdd(site.tablesGrown, event.size - before);
}

void HeapAnalysis::notePeak(uint64_t time) {
  if (now_.live.bytes <= totals_.peak.live.bytes)
    return;
  ++peak_;
  totals_.peak = {time, now_.live, now_.memory, now_.tables};
}

void HeapAnalysis::notePoint() {
  if (points_.size() == maxPoints) {
    for (size_t i = 0; i < maxPoints / 2; ++i)
      points_[i] = std::move(points_[2 * i + 1]);
    points_.resize(maxPoints / 2);
    pointDistance_ *= 2;
  }
  nextPoint_ = totals_.events + pointDistance_;
  std::vector<uint64_t> &point = points_.emplace_back();
  point.reserve(sites_.size());
  for (const Site &site : sites_)
    point.push_back(site.live.bytes);
}

void HeapAnalysis::noteMoment() {
  hasTime_ = true;
  atTime_.reserve(sites_.size());
  for (const Site &site : sites_)
    atTime_.push_back(site.live);
}

/// The address to be looked up first.
static uint64_t soughtBy(const HeapEvent &event) {
  return event.operation == HeapOperation::reallocate ? event.oldAddress : event.address;
}

void HeapAnalysis::prefetch(ArrayRef<HeapEvent> events) const {
  // Prefetching from another memory's table is harmless.
  if (!lastMemory_)
    return;
  if (events.size() > slotDistance)
    lastMemory_->objects.prefetchSlot(soughtBy(events[slotDistance]));
  if (events.size() > objectDistance)
    lastMemory_->objects.prefetchObject(soughtBy(events[objectDistance]));
}

// Called millions of times per second, so inlined into the loop below.
LLVM_ATTRIBUTE_ALWAYS_INLINE void HeapAnalysis::change(uint32_t stream, Stream &state,
                                                       Memory &memory, const HeapEvent &event) {
  bool isFresh = std::exchange(state.isFresh, false);
  switch (event.operation) {
  case HeapOperation::allocate:
    ++totals_.allocations;
    if (event.address == 0)
      totals_.failed += event.size > 0;
    else
      allocate(stream, state, memory, event, event.address);
    break;
  case HeapOperation::reallocate:
    ++totals_.reallocations;
    if (event.address == 0) {
      ++totals_.failed;
      break;
    }
    release(stream, memory, event, event.oldAddress);
    allocate(stream, state, memory, event, event.address);
    break;
  case HeapOperation::free:
    ++totals_.frees;
    isFresh &= event.address == state.address && event.memory == state.memory;
    release(stream, memory, event, event.address, isFresh ? &state : nullptr);
    break;
  case HeapOperation::grow:
    grow(memory, state, event);
    break;
  case HeapOperation::growTable:
    llvm_unreachable("tables are no memories");
  }
  notePeak(event.time);
}

void HeapAnalysis::add(uint32_t stream, uint64_t interval, ArrayRef<HeapEvent> events) {
  if (events.empty())
    return;
  Stream &state = streamOf(stream, interval);
  if (totals_.events == 0)
    totals_.start.time = events.front().time;
  for (size_t i = 0; i < events.size(); ++i) {
    prefetch(events.drop_front(i));
    const HeapEvent &event = events[i];
    if (event.time > options_.at && !hasTime_)
      noteMoment();
    if (event.operation == HeapOperation::growTable) {
      growTable(state, event);
    } else if (Memory *memory = memoryOf(event.memory)) {
      change(stream, state, *memory, event);
    } else {
      ++totals_.tooLarge;
      continue;
    }
    if (++totals_.events == nextPoint_)
      notePoint();
  }
  now_.time = events.back().time;
}

void HeapAnalysis::mergeWrongFrees(ArrayRef<uint32_t> sameStacks) {
  auto same = [&](uint32_t stack) { return sameStacks.empty() ? stack : sameStacks[stack]; };
  std::vector<WrongFrees> merged;
  std::map<std::array<uint32_t, 4>, size_t> places;
  for (WrongFrees &wrong : wrongFrees_) {
    wrong.stack = same(wrong.stack);
    wrong.allocatedBy = same(wrong.allocatedBy);
    wrong.freedBy = same(wrong.freedBy);
    // Those that another thread had allocated at the same time were not wrong.
    if (wrong.count == 0)
      continue;
    auto [place, isNew] = places.try_emplace(keyOf(wrong), merged.size());
    if (isNew)
      merged.push_back(wrong);
    else
      merged[place->second].count += wrong.count;
  }
  wrongFrees_ = std::move(merged);
}

void HeapAnalysis::finish(uint64_t time, ArrayRef<uint32_t> sameStacks) {
  mergeWrongFrees(sameStacks);
  if (!hasTime_)
    noteMoment();
  now_.time = std::max(now_.time, time);
  totals_.end = now_;
  totals_.allocated = totals_.sizes.sum();
  totals_.freed = totals_.lifetimes.sum();
  // A path has several sites if streams have different sampling intervals, or are threads.
  std::unordered_map<uint32_t, size_t> pathOf;
  std::vector<size_t> paths;
  for (size_t number = 0; number < sites_.size(); ++number) {
    Site &site = sites_[number];
    touch(site);
    uint32_t stack = sameStacks.empty() ? site.stack : sameStacks[site.stack];
    auto [place, isNew] = pathOf.try_emplace(stack, paths_.size());
    if (isNew)
      paths_.emplace_back().stack = stack;
    paths.push_back(place->second);
    HeapPath &path = paths_[place->second];
    path.allocated += site.allocated;
    path.live += site.live;
    path.atPeak += site.atPeak;
    if (number < atTime_.size())
      path.atTime += atTime_[number];
    path.grown = SaturatingAdd(path.grown, site.grown);
    path.tablesGrown = SaturatingAdd(path.tablesGrown, site.tablesGrown);
    path.course.resize(points_.size());
    for (const auto &[point, live] : enumerate(points_))
      if (number < live.size())
        path.course[point] += live[number];
  }
  for (const auto &[number, memory] : memories_)
    memory->objects.forEach([&](uint64_t, const LiveObject &object) {
      HeapPath &path = paths_[paths[object.path]];
      path.oldest = std::max(path.oldest, now_.time - std::min(now_.time, object.time));
      path.oldestBytes = std::max(path.oldestBytes, bytesSoFar_ - object.born);
    });
}
