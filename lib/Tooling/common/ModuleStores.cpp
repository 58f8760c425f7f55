//===- ModuleStores.cpp ---------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "ModuleStores.h"
#include "warpo/Support/ChildProcess.h"
#include "warpo/Tooling/ToolMain.h"
#include "llvm/Support/Program.h"
#include <unistd.h>

using namespace llvm;
using namespace warpo;

StringRef warpo::chosenEngine(StringRef engine) {
  if (engine != "auto")
    return engine;
  return sys::findProgramByName("node") ? "node" : "interp";
}

/// Asks Node, since its versions differ.
static Expected<std::vector<std::string>> askNode(StringRef kind) {
  auto node = sys::findProgramByName("node");
  if (!node)
    return std::vector<std::string>(); // warpo-run reports that
  auto script = findInstalledFile("share/warpo/js/host/print-stores.mjs");
  if (!script)
    return script.takeError();
  ChildProcess child;
  child.program = *node;
  child.arguments = {"node", *script, kind.str()};
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

Expected<std::vector<std::string>> warpo::eventStoreOptions(StringRef engine) {
  return runsInNode(engine) ? askNode("events") : std::vector<std::string>();
}

Expected<std::vector<std::string>> warpo::counterStoreOptions(StringRef engine) {
  if (runsInNode(engine))
    return askNode("counters");
  // wasm2c takes minutes for fewer globals than other engines take.
  return std::vector<std::string>{engine == "native" ? "--counters-in=memory"
                                                     : "--counters-in=auto"};
}
