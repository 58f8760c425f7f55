//===- SuspendedTime.cpp --------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Slice/SuspendedTime.h"

using namespace llvm;
using namespace warpo;

void SuspendedTime::advance(uint64_t time, const Counts &counts) {
  if (isWaiting()) {
    waited_.time += time - last_.time;
    if (suspensions_.back().isRecording)
      recording_ += time - last_.time;
    // The value of a column before it was first known is unknown.
    for (ColumnIndex column = 0; column < maxColumns; ++column)
      if (last_.counts[column] > 0)
        waited_.counts[column] += counts[column] - last_.counts[column];
  }
  last_ = {time, counts};
}

bool SuspendedTime::take(const FunctionTable &functions, const Event &event, const Counts &counts) {
  advance(event.time, counts);
  bool isSuspension = functions.isSuspension(event.function);
  if (suspensions_.empty() && !isSuspension)
    return true;
  if (!isEnd(event.kind)) {
    ++depth_;
    if (isSuspension)
      suspensions_.push_back({depth_, functions.isRecording(event.function)});
    return !isSuspension;
  }
  if (isSuspension)
    suspensions_.pop_back();
  --depth_;
  return !isSuspension;
}

void SuspendedTime::beginLost(const LostRange &range) {
  advance(std::max(range.from, last_.time), maxOf(range.countsFrom, last_.counts));
}

void SuspendedTime::endLost(const LostRange &range) {
  last_ = {range.to, maxOf(range.countsTo, last_.counts)};
}
