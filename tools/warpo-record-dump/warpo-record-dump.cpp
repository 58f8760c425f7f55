//===- warpo-record-dump.cpp - Shows, checks and converts a record --------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Tooling/DumpTool.h"

using namespace llvm;
using namespace warpo;

static ReadingOptions readingOptions(/*showsFunctions=*/false);

static TextsOption recordPaths(cl::Positional, inputOption("<record>..."), namesInput());
static TextOption output("o", outputOption("Where to write (default: standard output)", "file"),
                         cl::init("-"));
static TextOption formatName("format", outputOption("Format to write (default: text)", "name"),
                             cl::init("text"));
static FlagOption listFormats("list-formats", outputOption("List the formats of records"));
static FlagOption summary("summary", viewOption("Summarise the record"), isAlternative());
static FlagOption verify("verify", viewOption("List all damage, with its place"), isAlternative(),
                         needs(Need::oneRecord), needs(Need::wholeRecord), excludes({"slicer"}));
static TextsOption
    modules("module",
            viewOption("Only entries of matching modules, by id or name (may be repeated)", "glob"),
            excludes({"summary", "verify"}));
static TextsOption
    functions("function",
              viewOption("Only entries of functions with matching names (may be repeated)", "glob"),
              excludes({"summary", "verify"}));

static FlagOption compress("compress", outputOption("Compress the dump, for formats that can"));

static FlagOption noDemangle("no-demangle",
                             viewOption("Show C++ and Rust names as they are in the module"));

static FlagOption recover("recover",
                          viewOption("Complete the record of a killed process from its file "
                                     "<record>.live, and write nothing else"),
                          isAlternative(), needs(Need::oneRecord));

static Expected<ToolResult> run() {
  if (listFormats)
    return printRegistry<RecordFormat>();
  if (auto listed = readingOptions.list())
    return std::move(*listed);
  if (Error error = checkInputs(recordPaths))
    return error;
  if (recover)
    return recoverRecord(recordPaths.front());
  DumpRequest request{.records = recordPaths,
                      .output = output,
                      .format = formatName,
                      .modules = modules,
                      .functions = functions,
                      .compress = compress,
                      .demangle = !noDemangle};
  if (summary)
    return summarizeRecord(request, readingOptions);
  if (verify)
    return verifyRecord(request, readingOptions);
  return dumpRecord(request, readingOptions);
}

int main(int argc, char **argv) {
  return toolMain(argc, argv,
                  {.overview = "Shows a record of WebAssembly trace points, checks it, or converts "
                               "it to another format",
                   .examples = "  warpo-record-dump --summary app.warpo\n"
                               "  warpo-record-dump --from=10ms --to=11ms app.warpo",
                   .page = "docs/records.md"},
                  run);
}
