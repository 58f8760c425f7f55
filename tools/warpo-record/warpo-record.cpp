//===- warpo-record.cpp - Records where a program's time goes -------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Tooling/RecordTool.h"
#include "warpo/Tooling/ToolMain.h"

using namespace llvm;
using namespace warpo;

static RecordToolOptions options;

int main(int argc, char **argv) {
  return toolMainWithCode(
      argc, argv,
      {.overview =
           "Runs a program and records where its time goes: a WebAssembly module, a script "
           "for Node, a page, or a command that starts Node. It is sampled as it is, unless "
           "--trace or --fuel records each call, --order the first of each function, --heap "
           "what is allocated, or --counts how often each part of the code runs. The exit code "
           "is the program's own; 134 after a trap, 125 if it could not be run or recorded, and 3 "
           "if it is 0 otherwise but --fail-on-leaks finds leaks.",
       .examples = "  warpo-record app.wasm\n"
                   "  warpo-record --trace -o calls.warpo app.wasm",
       .page = "docs/recording.md",
       .failureCode = RunToolOptions::failureCode},
      [] { return recordProgram(options); });
}
