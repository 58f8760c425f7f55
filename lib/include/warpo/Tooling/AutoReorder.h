//===- AutoReorder.h - Improves a module by runs of the program -----------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_TOOLING_AUTOREORDER_H
#define WARPO_TOOLING_AUTOREORDER_H

#include "warpo/Tooling/RunTool.h"

namespace warpo {

/// How to run the program, and on which inputs.
struct AutoReorderOptions {
  FlagOption automatic{
      "auto",
      programOption("Run the program: learn from some runs, measure others, and keep the module "
                    "unless the new one is faster"),
      excludes({"order", "counts", "trace", "startup", "hints", "source-map", "output-source-map"})
          .because("--auto does all of it by itself")};
  TextsOption train{
      "train",
      programOption("With --auto: arguments of a run to learn from (may be repeated)", "arguments"),
      needs("auto")};
  TextsOption test{
      "test",
      programOption("With --auto: arguments of a run to compare and to measure (may be "
                    "repeated)",
                    "arguments"),
      needs("auto")};
  NumberOption rounds{"rounds", programOption("How often each test is measured (default: 12)", "n"),
                      llvm::cl::init(12), needs("auto")};
  TextsOption engines{
      "engine",
      programOption("The engine that runs the program (default: auto; may be repeated)", "name"),
      needs("auto")};
  TextsOption environment{
      "env", programOption("An environment variable for the program", "NAME=value"), needs("auto")};
  TextsOption directories{
      "dir", programOption("A folder; each run gets a copy of it", "host::guest"), needs("auto")};
  TextOption host{"host", inputOption("The program's own imports, an ES module", "imports.mjs"),
                  namesInput(), needs("auto")};
};

/// Writes the module with its functions in the order of the training runs, and with hints for
/// branches, if that is faster in the other runs; otherwise unchanged. Reports the decision and its
/// reason on stderr, unless `quiet`. Keeps debug information if `keepDebug`.
llvm::Expected<ToolResult> reorderByItself(const AutoReorderOptions &options,
                                           const std::string &input, const std::string &output,
                                           bool keepDebug, bool quiet);

} // namespace warpo

#endif
