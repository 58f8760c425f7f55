//===- warpo-annotate.cpp - Source, with what its lines took --------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Report/AnnotationFormat.h"
#include "warpo/Tooling/AnnotateTool.h"
#include "warpo/Tooling/ProfileInput.h"

using namespace llvm;
using namespace warpo;

static ReadingOptions readingOptions(/*showsFunctions=*/true);
static ProfileOptions profileOptions;

static TextsOption arguments(cl::Positional,
                             inputOption("record [record | function | source file]..."),
                             namesInput());
static TextOption output("o", outputOption("The annotation (default: standard output, -)", "file"),
                         cl::init("-"));
static TextOption formatName("format",
                             outputOption("Format of the annotation (default: text)", "name"),
                             cl::init("text"));
static FlagOption listFormats("list-formats", outputOption("List the formats of annotations"));
static NumberOption top("top",
                        viewOption("Unless asked for: so many functions (default: 5; 0: all)", "n"),
                        cl::init(5));
static FlagOption assembly("asm", viewOption("Below each line its instructions in the module"),
                           needs("module-file"));
static TextOption moduleFile("module-file",
                             inputOption("The module that was instrumented, or its text", "file"),
                             namesInput(), needs("asm"));
static cl::opt<uint32_t>
    context("context", viewOption("So many lines around each that has weight (default: 3)", "n"),
            cl::init(3));

static Expected<ToolResult> run() {
  if (listFormats)
    return printRegistry<AnnotationFormat>();
  if (auto listed = ProfileReader::list(readingOptions))
    return std::move(*listed);
  if (arguments.empty())
    return checkInputs({});
  return writeAnnotation({.arguments = arguments,
                          .output = output,
                          .format = formatName,
                          .annotation = {.functions = top, .context = context},
                          .module = assembly ? moduleFile.getValue() : ""},
                         readingOptions, profileOptions);
}

int main(int argc, char **argv) {
  return toolMain(argc, argv,
                  {.overview = "Shows source text with what its lines took, by samples that know "
                               "them; of other records what functions took where they begin",
                   .examples = "  warpo-annotate app.warpo\n"
                               "  warpo-annotate --format=html app.warpo -o app.html",
                   .page = "docs/reports.md"},
                  run);
}
