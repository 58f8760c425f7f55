//===- Instrumenting.cpp --------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "Instrumenting.h"
#include "../common/ModuleStores.h"
#include "../common/OtherTools.h"
#include "warpo/Tooling/ToolMain.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"

using namespace llvm;
using namespace warpo;

// Traps are recorded, for programs that continue after one: later calls are not within those that
// it ended.
std::string warpo::instrumentationsOf(const RecordToolOptions &options) {
  if (options.order)
    return "order";
  if (options.heap)
    return "heap";
  if (options.counts)
    return "counts";
  return options.fuel ? "trace,fuel,traps" : "trace,traps";
}

Error ProgramInstrumenter::chooseArguments() {
  arguments_ = {"-q", "--instrumentation=" + instrumentationsOf(options_)};
  if (options_.engine == "native")
    arguments_.push_back("--unwind=none");
  // Sampling heaps needs few stacks, so the engine's are cheap enough; only Node provides them.
  if (given(options_.heapSampleEvery) && runsInNode(options_.engine))
    arguments_.push_back(engineStack.str());
  if (given(options_.allocator))
    arguments_.push_back("--allocator=" + options_.allocator);
  if (options_.fuel || !(options_.trace || options_.counts))
    return Error::success();
  auto stores =
      options_.counts ? counterStoreOptions(options_.engine) : eventStoreOptions(options_.engine);
  if (!stores)
    return stores.takeError();
  append_range(arguments_, *stores);
  return Error::success();
}

Error ProgramInstrumenter::instrument(std::string &module) {
  if (arguments_.empty())
    if (Error error = chooseArguments())
      return error;
  // A module without a name is named after its file, so the copy keeps the file's name.
  auto own = folder_.makeFolder(Twine(count_++));
  if (!own)
    return own.takeError();
  std::string traced = *own + "/" + sys::path::filename(module).str();
  std::vector<std::string> arguments = arguments_;
  arguments.insert(arguments.end(), {module, "-o", traced});
  module = traced;
  return runStep("warpo-instrument", arguments);
}

bool warpo::instruments(const RecordToolOptions &options) {
  return options.trace || options.fuel || options.order || options.heap || options.counts;
}
