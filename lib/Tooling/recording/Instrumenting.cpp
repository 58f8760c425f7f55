//===- Instrumenting.cpp --------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "Instrumenting.h"
#include "../common/OtherTools.h"
#include "warpo/Support/ChildProcess.h"
#include "warpo/Tooling/ToolMain.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include <unistd.h>

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

static bool runsInNode(const RecordToolOptions &options) {
  return options.engine == "node" || (options.engine == "auto" && sys::findProgramByName("node"));
}

/// Asks Node where it finds events fastest.
static Expected<std::vector<std::string>> eventStoreOptions() {
  auto node = sys::findProgramByName("node");
  if (!node)
    return std::vector<std::string>(); // warpo-run reports that
  auto script = findInstalledFile("share/warpo/js/host/print-event-store.mjs");
  if (!script)
    return script.takeError();
  ChildProcess child;
  child.program = *node;
  child.arguments = {"node", *script};
  // Scripts of NODE_OPTIONS may print, and the output is the program's.
  child.descriptors.push_back({STDERR_FILENO, STDOUT_FILENO});
  auto end = runChild(child);
  if (!end)
    return end.takeError();
  // warpo-run reports what is wrong with this Node.
  if (end->exitCode != 0)
    return std::vector<std::string>();
  SmallVector<StringRef> lines;
  StringRef(end->answer).split(lines, '\n', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  return std::vector<std::string>(lines.begin(), lines.end());
}

Error ProgramInstrumenter::chooseArguments() {
  arguments_ = {"-q", "--instrumentation=" + instrumentationsOf(options_)};
  if (options_.engine == "native")
    arguments_.push_back("--unwind=none");
  // Sampling heaps needs few stacks, so the engine's are cheap enough; only Node provides them.
  if (given(options_.heapSampleEvery) && runsInNode(options_))
    arguments_.push_back(engineStack.str());
  if (given(options_.allocator))
    arguments_.push_back("--allocator=" + options_.allocator);
  if (!options_.trace || options_.fuel || !runsInNode(options_))
    return Error::success();
  auto eventStore = eventStoreOptions();
  if (!eventStore)
    return eventStore.takeError();
  append_range(arguments_, *eventStore);
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
