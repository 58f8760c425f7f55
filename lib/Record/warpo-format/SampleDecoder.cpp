//===- SampleDecoder.cpp --------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "SampleDecoder.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace warpo;

void AnnouncedCounts::add(uint64_t stream, uint64_t base, ColumnIndex column, ByteCursor &cursor) {
  begin(stream, base);
  columns_[column] = {cursor.bytes(cursor.remaining()).vec()};
}

// A block that is begun again, as what stands behind it was read ahead, has its numbers again.
void AnnouncedCounts::begin(uint64_t stream, uint64_t base) {
  if (stream != stream_ || base != base_)
    clear();
  stream_ = stream;
  base_ = base;
  for (auto &[_, column] : columns_)
    column.at = 0;
}

bool AnnouncedCounts::take(Counts &counts) {
  for (auto &[index, column] : columns_) {
    ByteCursor cursor(ArrayRef<uint8_t>(column.numbers).drop_front(column.at));
    counts[index] = cursor.uleb64();
    if (!cursor.ok())
      return false;
    column.at = column.numbers.size() - cursor.remaining();
  }
  return true;
}

bool AnnouncedCounts::atEnd() const {
  return all_of(columns_,
                [](const auto &entry) { return entry.second.at == entry.second.numbers.size(); });
}

bool SampleDecoder::decode(RecordColumns &columns,
                           function_ref<std::optional<ColumnIndex>()> findColumn) {
  ByteCursor cursor(ArrayRef<uint8_t>(at_, end_));
  while (columns.beside.samples.size() < RecordColumns::capacity && !cursor.atEnd()) {
    uint64_t time = cursor.uleb64();
    uint64_t counted = cursor.uleb64();
    std::optional<uint32_t> stack = find(cursor.uleb64());
    // The first sample may cover time before the clock's 0, but none is taken there.
    uint64_t now = time_ + time;
    bool isBack = time > INT64_MAX || int64_t(now) < 0 || int64_t(now) < int64_t(time_);
    Counts counts = {};
    if (!cursor.ok() || !stack || isBack || !counts_.take(counts))
      return false;
    time_ = now;
    if (counted > 0)
      if (std::optional<ColumnIndex> column = findColumn())
        counts[*column] = counted;
    columns.beside.samples.push_back(
        {.time = time_, .timeSince = time, .stack = *stack, .countsSince = counts});
    at_ = cursor.position();
  }
  return !cursor.atEnd() || counts_.atEnd();
}
