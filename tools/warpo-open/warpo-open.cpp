//===- warpo-open.cpp - Shows records in the browser ----------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Tooling/OpenTool.h"
#include "warpo/Tooling/ToolMain.h"

using namespace llvm;
using namespace warpo;

static TextsOption records(cl::Positional, inputOption("<record>..."), namesInput());
static TextOption output("o", outputOption("The report (default: a temporary file)", "file"));

static Expected<ToolResult> run() {
  if (Error error = checkInputs(records))
    return error;
  return openReport(records, output);
}

int main(int argc, char **argv) {
  return toolMain(argc, argv,
                  {.overview = "Writes a report of a record and shows it in the browser: the one "
                               "that BROWSER names, else the system's",
                   .examples = "  warpo-open app.warpo\n"
                               "  warpo-open -o app.html app.warpo",
                   .page = "docs/formats.md"},
                  run);
}
