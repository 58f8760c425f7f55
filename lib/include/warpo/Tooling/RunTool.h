//===- RunTool.h - What warpo-run does ------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_TOOLING_RUNTOOL_H
#define WARPO_TOOLING_RUNTOOL_H

#include "warpo/Tooling/KnownValues.h"
#include "warpo/Tooling/ToolMain.h"

namespace warpo {

/// How the program is run.
OptionHelp programOption(llvm::StringRef text, llvm::StringRef value = "");
/// What of it is recorded.
OptionHelp recordingOption(llvm::StringRef text, llvm::StringRef value = "");

/// The command line of warpo-run.
struct RunToolOptions {
  TextOption app{llvm::cl::Positional, inputOption("app.wasm"), namesInput()};
  TextsOption arguments{llvm::cl::Positional, inputOption("[-- arguments of the program]")};
  TextOption engine{"engine", programOption("What runs the program (default: auto)", "name"),
                    llvm::cl::init("auto")};
  FlagOption listEngines{"list-engines", programOption("List the engines")};
  /// `-` is standard output; if not given: the recorder's environment variables, else warpo.rec.
  TextOption record{"record", outputOption("The record to write (default: warpo.rec)", "file")};
  /// Empty: `warpo` if the record's name ends in .warpo, else what the recorder's variable says,
  /// else `warpo`; `warp` where WARP's own variable alone names the file, unless the program has
  /// what that has no place for.
  TextOption recordFormat{"record-format",
                          outputOption("warpo, the default, or WARP's own warp", "name"),
                          oneOf({"warpo", "warp"})};
  NumberOption maxItems{"max-items", recordingOption("Stop recording after so many events", "n")};
  FlagOption onlyFuel{"only-fuel", recordingOption("Record fuel and no time: no clock is read"),
                      needs(Need::fuelTrace)};
  NumberOption fuelLimit{"fuel-limit", programOption("End modules that burn so much fuel", "n"),
                         needs(Need::fuelLimit)};
  FlagOption sample{"sample",
                    recordingOption("Sample the program as it is, without instrumenting it"),
                    excludes({"sample-every"}).because("a program as it is counts no fuel"),
                    excludes({"deterministic"}).because("samples by time differ from run to run")};
  NumberOption sampleEvery{
      "sample-every", recordingOption("Sample each time so much fuel has been burnt", "n"),
      needs(Need::sampling), excludes({"frequency"}).because("samples are due by fuel or by time")};
  NumberOption frequency{
      "frequency", recordingOption("Samples per second, about (default: 1000)", "n"),
      needs(Need::sampling),
      excludes({"deterministic"})
          .because("samples by time differ from run to run; --sample-every takes them "
                   "by fuel")};
  TextOption heapSampleEvery{
      "heap-sample-every",
      recordingOption("Of allocations, record a sample: about one in so many bytes", "size"),
      needs(Need::heapCalls)};
  NumberOption heapSeed{"heap-seed",
                        recordingOption("Decides which ones that are (default: 0)", "n"),
                        needs("heap-sample-every")};
  TextOption guestStack{
      "guest-stack",
      recordingOption("What reads an interpreted program's stack (default: auto)", "name"),
      llvm::cl::init("auto")};
  FlagOption listGuestStacks{"list-guest-stacks", recordingOption("List the guest stacks")};
  TextOption invoke{"invoke",
                    programOption("Call this, not _start or main; print its results", "function")};
  TextsOption invokeArguments{"arg", programOption("An argument of that function", "value"),
                              needs("invoke").because("the program's own arguments follow '--'")};
  TextsOption links{"link",
                    inputOption("A module that the program imports from", "name=file.wasm")};
  TextOption host{"host", inputOption("The program's own imports, an ES module", "imports.mjs"),
                  namesInput()};
  TextsOption environment{"env", programOption("A variable that the program sees", "NAME=value")};
  TextsOption directories{"dir", programOption("A folder that the program sees", "host::guest")};
  TextOption landlock{
      "landlock",
      programOption("Confine engine node in the kernel: auto (default), on, off", "when"),
      oneOf({"auto", "on", "off"}), llvm::cl::init("auto")};
  TextOption mapping{"mapping", inputOption("Names of the functions, shown after a trap", "file"),
                     namesInput()};
  FlagOption deterministic{"deterministic",
                           programOption("Clocks and random numbers are the same in each run")};
  FlagOption quiet{"q", outputOption("Say nothing unless something is wrong")};

  static constexpr int nothingRecordedCode = 1;
  static constexpr int trapCode = 134;
  static constexpr int failureCode = 125;
};

/// Runs and records the program and reports on stderr how it went. Returns the exit code: the
/// program's own, `trapCode`, `failureCode` if the record is not whole, or `nothingRecordedCode` if
/// there is nothing for the record that was asked for; an error is our own.
llvm::Expected<int> runAndReport(const RunToolOptions &options);

} // namespace warpo

#endif
