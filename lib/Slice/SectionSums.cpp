//===- SectionSums.cpp ----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

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
  for (ColumnIndex column = 0; column < maxColumns; ++column)
    counts[column] = SaturatingAdd(counts[column], other.counts[column]);
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

// Amounts before the first known count are attributed to no section.
void SectionSums::setCount(Stream &stream, ColumnIndex column, uint64_t count) {
  if (stream.columns.insert(column))
    for (Open &open : stream.open)
      open.counts[column] = count;
  stream.counts[column] = count;
  columns_.insert(column);
}

void SectionSums::take(Stream &stream, const Event &event, SectionIndex section) {
  if (!isEnd(event.kind)) {
    stream.open.push_back({section, event.time, stream.counts});
    ++stream.depth[section];
    ++stream.sums[section].calls;
    return;
  }
  Open open = stream.open.back();
  stream.open.pop_back();
  // A section within another one of the same name is included in that one.
  if (--stream.depth[section] > 0)
    return;
  Sum spent{.time = event.time - open.time};
  for (ColumnIndex column : stream.columns)
    spent.counts[column] = stream.counts[column] - open.counts[column];
  stream.sums[section].add(spent);
}

Error SectionSums::events(const EventBatch &batch) {
  hasCalls_ |= !batch.empty();
  Stream &stream = streams_[batch.stream];
  ArrayRef<LostRange> lost = batch.lost;
  for (size_t i = 0; i <= batch.events.size(); ++i) {
    for (; !lost.empty() && lost.front().position == i; lost = lost.drop_front())
      for (ColumnIndex column = 0; column < maxColumns; ++column) {
        if (lost.front().countsTo[column] == 0)
          continue;
        setCount(stream, column, lost.front().countsFrom[column]);
        setCount(stream, column, lost.front().countsTo[column]);
      }
    if (i == batch.events.size())
      break;
    for (const CountColumns::Column &column : batch.counts)
      setCount(stream, column.index, column.values[i]);
    if (SectionIndex section = sectionOf(batch.events[i].function); section != notASection)
      take(stream, batch.events[i], section);
  }
  return Error::success();
}

Error SectionSums::beside(const SideBatch &batch) {
  StackSums &sums = samples_[batch.stream];
  for (const StackSample &sample : batch.entries.samples)
    sums[sample.stack].add({1, sample.timeSince, sample.countsSince});
  return Error::success();
}

SectionSums::Sums SectionSums::sumsOfStacks(const StackSums &samples) {
  ArrayRef<ResolvedStack> stacks = functions_.stacks();
  if (stacks.empty())
    return {};
  // The inclusive sum of each stack. Stacks come after the stacks that contain them.
  std::vector<Sum> inclusive(stacks.size());
  for (const auto &[stack, sum] : samples)
    inclusive[stack] = sum;
  // The children of each stack as a linked list: the first child, and the next sibling; 0 means
  // none.
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
    // Skip sections without samples.
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
    for (ColumnIndex column = 0; column < header_.columns().size(); ++column)
      columns_.insert(column);
  }
  std::map<std::string, std::vector<SectionSum>> result;
  for (const auto &[run, sums] : runs)
    for (const auto &[section, sum] : sums) {
      SectionSum &shown = result[run].emplace_back();
      shown.name = names_[section];
      shown.time = sum.time;
      if (hasCalls_)
        shown.calls = sum.calls;
      if (!header_.hasTime())
        shown.amounts[0] = sum.time;
      for (ColumnIndex column : columns_)
        shown.amounts[column + 1] = sum.counts[column];
    }
  return result;
}
