//===- SampleDecoder.cpp --------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "SampleDecoder.h"

using namespace llvm;
using namespace warpo;

bool SampleDecoder::decode(RecordColumns &columns,
                           function_ref<std::optional<ColumnIndex>()> findColumn) {
  ByteCursor cursor(ArrayRef<uint8_t>(at_, end_));
  while (columns.beside.samples.size() < RecordColumns::capacity && !cursor.atEnd()) {
    uint64_t time = cursor.uleb64();
    uint64_t counted = cursor.uleb64();
    std::optional<uint32_t> stack = find(cursor.uleb64());
    // What the first one speaks of may have begun before the clock's 0, but none is taken there.
    uint64_t now = time_ + time;
    bool isBack = time > INT64_MAX || int64_t(now) < 0 || int64_t(now) < int64_t(time_);
    if (!cursor.ok() || !stack || isBack)
      return false;
    time_ = now;
    columns.beside.samples.push_back({.time = time_, .timeSince = time, .stack = *stack});
    if (counted > 0)
      if (std::optional<ColumnIndex> column = findColumn())
        columns.beside.samples.back().countsSince[*column] = counted;
    at_ = cursor.position();
  }
  return true;
}
