//===- CallStatistics.cpp -------------------------------------------------===//

#include "warpo/Report/CallStatistics.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

using namespace llvm;
using namespace warpo;

// About 15 ns an event, half of it waiting for memory: a begin touches the depth of its function,
// an end that and one bucket of the histogram.
Error CallStatistics::events(const EventBatch &batch) {
  if (batch.stream >= streams_.size())
    streams_.resize(batch.stream + 1);
  Stream &stream = streams_[batch.stream];
  for (const Event &event : batch.events) {
    if (event.kind == EventKind::begin) {
      if (LLVM_UNLIKELY(event.function >= stream.depths.size()))
        stream.depths.resize(size_t(event.function) * 2 + 64);
      Depth &depth = stream.depths[event.function];
      depth.deepest = std::max(depth.deepest, ++depth.open);
      stream.open.push_back({event.time, event.function});
      continue;
    }
    OpenCall call = stream.open.back();
    stream.open.pop_back();
    --stream.depths[call.function].open;
    // How long it would have taken, nobody knows.
    if (event.kind == EventKind::endOpen)
      continue;
    if (LLVM_UNLIKELY(call.function >= functions_.size()))
      functions_.resize(stream.depths.size());
    FunctionCalls &function = functions_[call.function];
    uint64_t duration = event.time - call.begin;
    function.durations.add(duration);
    function.sum = SaturatingAdd(function.sum, duration);
    function.longest = std::max(function.longest, duration);
  }
  return Error::success();
}

Error CallStatistics::finish() {
  for (const Stream &stream : streams_) {
    functions_.resize(std::max(functions_.size(), stream.depths.size()));
    for (size_t i = 0; i < stream.depths.size(); ++i)
      functions_[i].deepestRecursion =
          std::max(functions_[i].deepestRecursion, stream.depths[i].deepest);
  }
  return Error::success();
}
