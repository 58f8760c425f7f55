//===- RecordTool.h - The work of warpo-record ----------------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_TOOLING_RECORDTOOL_H
#define WARPO_TOOLING_RECORDTOOL_H

#include "warpo/Tooling/RunTool.h"

namespace warpo {

/// The command line of warpo-record. Everything after the program belongs to the program, like with
/// `perf`.
struct RecordToolOptions : ProgramOptions {
  TextOption program{llvm::cl::Positional, inputOption("program"), namesInput()};
  TextsOption arguments{llvm::cl::ConsumeAfter, inputOption("[arguments of the program]")};
  FlagOption trace{"trace", recordingOption("Record each call, in an instrumented copy"),
                   excludes({"fuel"}).because("--fuel records each call too")};
  FlagOption fuel{"fuel", recordingOption("Record each call, and the instructions executed in it")};
  FlagOption order{"order", recordingOption("Record the order in which functions first run"),
                   excludes({"trace", "fuel"})
                       .because("these record each call, and warpo-order takes them too")};
  FlagOption heap{"heap",
                  recordingOption("Record allocations and frees, and the calls that make them"),
                  excludes({"trace", "fuel", "order"})
                      .because("these record each call; warpo-instrument can insert both")};
  FlagOption counts{"counts", recordingOption("Count how often each part of the code runs"),
                    excludes({"trace", "fuel", "order", "heap"})
                        .because("these record events, --counts only totals; warpo-instrument can "
                                 "insert both")};
  TextOption countsOf{"counts-of",
                      recordingOption("Count only in sections or a phase of that name", "name"),
                      needs("counts")};
  TextOption heapSampleEvery{
      "heap-sample-every",
      recordingOption("Sample allocations: about one for this many bytes", "size"), needs("heap")};
  TextOption allocator{
      "allocator",
      recordingOption("Further allocators, as in alloc:get(size)->address,free:put(address)",
                      "list"),
      needs("heap")};
  TextOption failOnLeaks{
      "fail-on-leaks", recordingOption("Exit code 3 if more bytes leak (default: 0)", "bytes"),
      llvm::cl::ValueOptional, needs("heap"),
      excludes({"heap-sample-every"}).because("leaks of objects that are not sampled are missed")};
  FrequencyOption frequency{
      excludes({"trace", "fuel", "order", "heap", "counts"}).because("these record no samples")};
  TextOption record{
      "o", outputOption("The record (default: <program>.warpo; with --counts, .counts)", "file")};
  llvm::cl::alias recordAlias{"output", llvm::cl::desc("Alias for -o"), llvm::cl::aliasopt(record)};
  TextOption engine{"engine",
                    programOption("The engine that runs a module (default: auto)", "name"),
                    llvm::cl::init("auto")};
  TextsOption invokeArguments{
      "arg", programOption("An argument for the function of --invoke", "value"), needs("invoke")};
  FlagOption open{"open", outputOption("Show the record in the browser, as warpo open does"),
                  excludes({"counts"}).because("warpo-annotate shows counts")};
  FlagOption quiet{"q", outputOption("Say nothing unless something is wrong")};
};

/// Records the program (a module, a script for Node, or a command that starts Node), and prints on
/// stderr where its time went and how to see more. Returns the program's exit code, or an error if
/// it was not run.
llvm::Expected<int> recordProgram(const RecordToolOptions &options);

} // namespace warpo

#endif
