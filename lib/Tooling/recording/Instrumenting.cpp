//===- Instrumenting.cpp --------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "Instrumenting.h"
#include "../common/OtherTools.h"
#include "warpo/Tooling/ToolMain.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"

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

/// Sampling heaps needs few stacks, so the engine's are cheap enough; only Node provides them.
static bool asksEngineForStacks(const RecordToolOptions &options) {
  bool runsInNode =
      options.engine == "node" || (options.engine == "auto" && sys::findProgramByName("node"));
  return given(options.heapSampleEvery) && runsInNode;
}

Error warpo::instrument(const RecordToolOptions &options, std::string &module,
                        const TemporaryFolder &folder, size_t number) {
  // A module without a name is named after its file, so the copy keeps the file's name.
  auto own = folder.makeFolder(Twine(number));
  if (!own)
    return own.takeError();
  std::string traced = *own + "/" + sys::path::filename(module).str();
  std::vector<std::string> arguments{"-q", module, "-o", traced};
  arguments.push_back("--instrumentation=" + instrumentationsOf(options));
  if (options.engine == "native")
    arguments.push_back("--unwind=none");
  if (asksEngineForStacks(options))
    arguments.push_back(engineStack.str());
  if (given(options.allocator))
    arguments.push_back("--allocator=" + options.allocator);
  module = traced;
  return runStep("warpo-instrument", arguments);
}

bool warpo::instruments(const RecordToolOptions &options) {
  return options.trace || options.fuel || options.order || options.heap || options.counts;
}
