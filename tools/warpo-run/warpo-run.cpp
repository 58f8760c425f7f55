//===- warpo-run.cpp - Runs an instrumented program and records it --------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Engine/Engine.h"
#include "warpo/Engine/GuestStack.h"
#include "warpo/Tooling/RunTool.h"
#include "warpo/Tooling/ToolMain.h"

using namespace llvm;
using namespace warpo;

static RunToolOptions options;

static Expected<int> run() {
  if (options.listEngines || options.listGuestStacks) {
    auto listed = options.listEngines ? printRegistry<Engine>() : printRegistry<GuestStack>();
    return listed ? Expected<int>(0) : listed.takeError();
  }
  return runAndReport(options);
}

int main(int argc, char **argv) {
  return toolMainWithCode(argc, argv,
                          {.overview =
                               "Runs an instrumented WebAssembly program and records its calls. "
                               "With --record=- the program's own output goes to stderr. The exit "
                               "code is the program's own; 1 if --record is given and nothing was "
                               "recorded, 134 after a trap, 125 if it could not be run or "
                               "recorded.",
                           .examples = "  warpo-run --record=app.warpo traced.wasm -- document.md\n"
                                       "  warpo-run --engine=interp --invoke=main traced.wasm",
                           .page = "docs/recording.md",
                           .failureCode = RunToolOptions::failureCode},
                          run);
}
