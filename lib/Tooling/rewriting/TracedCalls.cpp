//===- TracedCalls.cpp ----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Tooling/TracedCalls.h"
#include "OrderInput.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace warpo;

static Expected<TracedCalls> readTrace(const std::string &record, const wasm::Module &module,
                                       const ReadingOptions &options) {
  auto functions = OrderModule::create(module);
  if (!functions)
    return functions.takeError();
  RunReading reading;
  reading.wantsCosts = true;
  RunReader reader(*functions, module.bytes, options, reading);
  if (Error error = reader.read(record, /*weight=*/1))
    return error;
  for (const std::string &message : reader.unmatched().messages())
    warn(module.fileName + ": " + message);
  TracedCalls calls;
  for (const OrderRun &run : reader.runs())
    for (const CallEdge &edge : run.edges) {
      uint64_t &sum = calls[edge.caller][edge.callee];
      sum = SaturatingAdd(sum, edge.calls);
    }
  return calls;
}

std::function<Expected<TracedCalls>(const wasm::Module &)>
warpo::traceReader(const std::string &record, const ReadingOptions *options) {
  if (record.empty())
    return {};
  return [=](const wasm::Module &module) {
    if (options)
      return readTrace(record, module, *options);
    // Created after the command line was parsed, so that options have their default values.
    static ReadingOptions usual(/*showsFunctions=*/false, /*takesSymbols=*/false);
    return readTrace(record, module, usual);
  };
}
