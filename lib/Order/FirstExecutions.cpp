//===- FirstExecutions.cpp ------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Order/FirstExecutions.h"
#include <numeric>
#include <tuple>

using namespace llvm;
using namespace warpo;

Error FirstExecutions::events(const EventBatch &batch) {
  if (batch.stream >= streams_.size())
    streams_.resize(batch.stream + 1);
  Stream &stream = streams_[batch.stream];
  for (const Event &event : batch.events)
    if (event.kind == EventKind::begin && stream.seen.insert(event.function).second)
      stream.order.push_back({event.function, event.time});
  return Error::success();
}

std::vector<FunctionIndex> FirstExecutions::merged(ArrayRef<StreamIndex> streams) const {
  std::vector<Execution> all;
  for (StreamIndex stream : streams)
    llvm::append_range(all, of(stream));
  // At equal times, those of one stream stay in their order.
  std::vector<size_t> byTime(all.size());
  std::iota(byTime.begin(), byTime.end(), size_t(0));
  llvm::sort(byTime, [&](size_t a, size_t b) {
    return std::tuple(all[a].time, a) < std::tuple(all[b].time, b);
  });
  DenseSet<FunctionIndex> seen;
  std::vector<FunctionIndex> result;
  for (size_t i : byTime)
    if (seen.insert(all[i].function).second)
      result.push_back(all[i].function);
  return result;
}
