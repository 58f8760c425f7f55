//===- FirstExecutions.cpp ------------------------------------------------===//

#include "warpo/Order/FirstExecutions.h"
#include <algorithm>

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
  // Of equal times those of one stream stay in their order.
  llvm::stable_sort(all, [](const Execution &a, const Execution &b) { return a.time < b.time; });
  DenseSet<FunctionIndex> seen;
  std::vector<FunctionIndex> result;
  for (const Execution &execution : all)
    if (seen.insert(execution.function).second)
      result.push_back(execution.function);
  return result;
}
