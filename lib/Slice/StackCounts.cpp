//===- StackCounts.cpp ----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Slice/StackCounts.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

using namespace llvm;
using namespace warpo;

CountColumns StackCounts::sumsOf(StreamIndex stack, const RecordBatch &batch) {
  size_t count = std::max(stack, batch.stream) + size_t(1);
  if (streams_.size() < count) {
    streams_.resize(count);
    sums_.resize(count);
  }
  CountColumns sums;
  for (const CountColumns::Column &column : batch.counts) {
    Last &stream = streams_[batch.stream][column.index];
    Last &sum = sums_[stack][column.index];
    // Amounts before a stream's first entry do not count.
    if (!stream.isKnown)
      stream = {column.values[0], true};
    if (!sum.isKnown)
      sum = {column.values[0], true};
    std::vector<uint64_t> &added = columns_[column.index];
    added.clear();
    for (uint64_t counted : batch.counts[column.index]) {
      sum.count = SaturatingAdd(sum.count, counted - stream.count);
      stream.count = counted;
      added.push_back(sum.count);
    }
    sums.add(column.index, added);
  }
  return sums;
}
