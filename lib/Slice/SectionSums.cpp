//===- SectionSums.cpp ----------------------------------------------------===//

#include "warpo/Slice/SectionSums.h"
#include "warpo/Slice/HostPhases.h"
#include "warpo/Support/SectionId.h"
#include "llvm/Support/MathExtras.h"
#include <set>

using namespace llvm;
using namespace warpo;

void SectionSums::Sum::add(const Sum &other) {
  calls = SaturatingAdd(calls, other.calls);
  time = SaturatingAdd(time, other.time);
  fuel = SaturatingAdd(fuel, other.fuel);
}

SectionSums::SectionIndex SectionSums::sectionOf(FunctionIndex function) {
  if (function >= sectionOfFunction_.size())
    sectionOfFunction_.resize(functions_.size(), unresolved);
  SectionIndex &section = sectionOfFunction_[function];
  if (LLVM_LIKELY(section != unresolved))
    return section;
  if (!isSection(functions_[function].id))
    return section = notASection;
  StringRef name = functions_[function].name;
  auto [place, isNew] = sectionOfName_.try_emplace(name, SectionIndex(names_.size()));
  if (isNew)
    names_.push_back(name.str());
  return section = place->second;
}

// What was burnt before the first known fuel is nobody's.
void SectionSums::setFuel(Stream &stream, uint64_t fuel) {
  if (!stream.fuel)
    for (Open &open : stream.open)
      open.fuel = fuel;
  stream.fuel = fuel;
  hasFuel_ = true;
}

void SectionSums::take(Stream &stream, const Event &event, SectionIndex section) {
  uint64_t fuel = stream.fuel.value_or(0);
  if (!isEnd(event.kind)) {
    stream.open.push_back({section, event.time, fuel});
    ++stream.depth[section];
    ++stream.sums[section].calls;
    return;
  }
  Open open = stream.open.back();
  stream.open.pop_back();
  // One within another of its name has been counted with that.
  if (--stream.depth[section] == 0)
    stream.sums[section].add({0, event.time - open.time, fuel - open.fuel});
}

Error SectionSums::events(const EventBatch &batch) {
  if (header_.streams[batch.stream].isHost)
    return Error::success();
  hasCalls_ |= !batch.empty();
  Stream &stream = streams_[batch.stream];
  ArrayRef<LostRange> lost = batch.lost;
  for (size_t i = 0; i <= batch.events.size(); ++i) {
    for (; !lost.empty() && lost.front().position == i; lost = lost.drop_front()) {
      if (lost.front().fuelTo == 0)
        continue;
      setFuel(stream, lost.front().fuelFrom);
      setFuel(stream, lost.front().fuelTo);
    }
    if (i == batch.events.size())
      break;
    if (!batch.fuel.empty())
      setFuel(stream, batch.fuel[i]);
    if (SectionIndex section = sectionOf(batch.events[i].function); section != notASection)
      take(stream, batch.events[i], section);
  }
  return Error::success();
}

Error SectionSums::samples(const SampleBatch &batch) {
  StackSums &sums = samples_[batch.stream];
  for (const StackSample &sample : batch.samples)
    sums[sample.stack].add({1, sample.timeSince, sample.fuelSince});
  return Error::success();
}

SectionSums::Sums SectionSums::sumsOfStacks(const StackSums &samples) {
  ArrayRef<ResolvedStack> stacks = functions_.stacks();
  if (stacks.empty())
    return {};
  // Of each stack, with all that lies in it. Stacks come behind those that they lie in.
  std::vector<Sum> inclusive(stacks.size());
  for (const auto &[stack, sum] : samples)
    inclusive[stack] = sum;
  // Those within each, the first one and from each to the next; 0 is nobody's.
  std::vector<uint32_t> firstWithin(stacks.size()), next(stacks.size());
  for (uint32_t stack = uint32_t(stacks.size()); stack-- > 1;) {
    uint32_t around = stacks[stack].parent;
    inclusive[around].add(inclusive[stack]);
    next[stack] = std::exchange(firstWithin[around], stack);
  }
  Sums sums;
  std::unordered_map<SectionIndex, size_t> depth;
  auto sectionAt = [&](uint32_t stack) { return sectionOf(stacks[stack].function); };
  // Not by recursion: a stack may be as deep as a record is long.
  std::vector<uint32_t> open;
  for (uint32_t stack = firstWithin[0]; stack != 0;) {
    SectionIndex section = sectionAt(stack);
    // A sample may have seen it, and nothing since the sample before.
    if (section != notASection && depth[section]++ == 0 && inclusive[stack].calls > 0)
      sums[section].add(inclusive[stack]);
    open.push_back(stack);
    stack = firstWithin[stack];
    while (stack == 0 && !open.empty()) {
      uint32_t left = open.back();
      open.pop_back();
      if (SectionIndex ended = sectionAt(left); ended != notASection)
        --depth[ended];
      stack = next[left];
    }
  }
  return sums;
}

std::map<std::string, std::vector<SectionSum>> SectionSums::take() {
  std::set<StringRef> known;
  for (const RecordedPhase &phase : header_.phases)
    known.insert(phase.run);
  auto runOf = [&](StreamIndex stream) {
    return runNameOf(header_.streams[stream], [&](StringRef name) { return known.count(name) > 0; })
        .str();
  };
  std::map<std::string, Sums> runs;
  if (hasCalls_) {
    for (const auto &[stream, ofStream] : streams_) {
      Sums &ofRun = runs[runOf(stream)];
      for (const auto &[section, sum] : ofStream.sums)
        ofRun[section].add(sum);
    }
  } else {
    std::map<std::string, StackSums> samples;
    for (const auto &[stream, ofStream] : samples_) {
      StackSums &ofRun = samples[runOf(stream)];
      for (const auto &[stack, sum] : ofStream)
        ofRun[stack].add(sum);
    }
    for (const auto &[run, ofRun] : samples)
      runs[run] = sumsOfStacks(ofRun);
    hasFuel_ = !header_.fuelClock.empty();
  }
  std::map<std::string, std::vector<SectionSum>> result;
  for (const auto &[run, sums] : runs)
    for (const auto &[section, sum] : sums) {
      std::optional<uint64_t> calls, fuel;
      if (hasCalls_)
        calls = sum.calls;
      if (hasFuel_)
        fuel = sum.fuel;
      result[run].push_back({names_[section], calls, sum.time, fuel});
    }
  return result;
}
