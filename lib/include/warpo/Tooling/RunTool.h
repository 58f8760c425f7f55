//===- RunTool.h - The work of warpo-run ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_TOOLING_RUNTOOL_H
#define WARPO_TOOLING_RUNTOOL_H

#include "warpo/Sampling/SampleClock.h"
#include "warpo/Tooling/KnownValues.h"
#include "warpo/Tooling/ToolMain.h"

namespace warpo {

/// An option on how the program is run.
OptionHelp programOption(llvm::StringRef text, llvm::StringRef value = "");
/// An option on what is recorded.
OptionHelp recordingOption(llvm::StringRef text, llvm::StringRef value = "");

/// How often a program is sampled.
struct FrequencyOption : NumberOption {
  /// `rules`: needs() and excludes().
  template <typename... Rules>
  explicit FrequencyOption(const Rules &...rules)
      : NumberOption("frequency", recordingOption("Samples per second (default: 1000)", "n"),
                     llvm::cl::init(SamplingRequest{}.frequency), rules...) {}
  /// An error if the program cannot be sampled so often.
  llvm::Error check() const;
};

/// What a module that is run gets from its host.
struct ProgramOptions {
  TextOption invoke{"invoke",
                    programOption("Call this, not _start or main; print its results", "function")};
  TextsOption links{"link",
                    inputOption("A module that the program imports from", "name=file.wasm")};
  TextOption host{"host", inputOption("The program's own imports, an ES module", "imports.mjs"),
                  namesInput()};
  TextsOption environment{"env",
                          programOption("An environment variable for the program", "NAME=value")};
  TextsOption directories{"dir",
                          programOption("A folder that the program can access", "host::guest")};
  FlagOption listEngines{"list-engines", programOption("List the engines")};
};

/// The command line of warpo-run.
struct RunToolOptions : ProgramOptions {
  TextOption app{llvm::cl::Positional, inputOption("app.wasm"), namesInput()};
  TextsOption arguments{llvm::cl::Positional, inputOption("[-- arguments of the program]")};
  TextOption engine{"engine",
                    programOption("The engine that runs the program (default: auto)", "name"),
                    llvm::cl::init("auto")};
  /// `-` is standard output. If not given: from the recorder's environment variables, otherwise
  /// warpo.rec.
  TextOption record{"record", outputOption("The record to write (default: warpo.rec)", "file")};
  TextOption counts{"counts", outputOption("The counts (default: <record>.counts)", "file"),
                    needs(Need::counts),
                    excludes({"sample"}).because("a program as it is does not count")};
  /// If empty: `warpo` if the record's name ends in .warpo, otherwise the value of the recorder's
  /// variable, otherwise `warpo`; but `warp` if only WARP's own variable names the file, unless the
  /// program has data that this format does not support.
  TextOption recordFormat{"record-format",
                          outputOption("Format of the record: warpo (default) or warp", "name"),
                          oneOf({"warpo", "warp"})};
  NumberOption maxItems{"max-items", recordingOption("Stop recording after this many events", "n")};
  FlagOption onlyFuel{"only-fuel", recordingOption("Record only fuel, and read no clock"),
                      needs(Need::fuelTrace)};
  NumberOption fuelLimit{"fuel-limit",
                         programOption("End modules that have used this much fuel", "n"),
                         needs(Need::fuelLimit)};
  FlagOption sample{"sample", recordingOption("Sample the program without instrumenting it"),
                    excludes({"sample-every"}).because("an uninstrumented program counts no fuel"),
                    excludes({"deterministic"}).because("samples by time differ from run to run")};
  NumberOption sampleEvery{
      "sample-every", recordingOption("Take a sample each time this much fuel has been used", "n"),
      needs(Need::sampling), excludes({"frequency"}).because("samples are due by fuel or by time")};
  FrequencyOption frequency{
      needs(Need::sampling),
      excludes({"deterministic"})
          .because("samples by time differ from run to run; --sample-every takes them "
                   "by fuel")};
  TextOption heapSampleEvery{
      "heap-sample-every",
      recordingOption("Sample allocations: about one for this many bytes", "size"),
      needs(Need::heapCalls)};
  NumberOption heapSeed{
      "heap-seed", recordingOption("Seed that selects the sampled allocations (default: 0)", "n"),
      needs("heap-sample-every")};
  TextOption countsOf{
      "counts-of", recordingOption("Count only in sections or a phase of that name", "name"),
      needs(Need::counts), excludes({"sample"}).because("a program as it is does not count")};
  TextOption guestStack{
      "guest-stack",
      recordingOption("The reader of an interpreted program's stack (default: auto)", "name"),
      llvm::cl::init("auto")};
  FlagOption listGuestStacks{"list-guest-stacks", recordingOption("List the guest stacks")};
  TextsOption invokeArguments{"arg",
                              programOption("An argument for the function of --invoke", "value"),
                              needs("invoke").because("the program's own arguments follow '--'")};
  TextOption landlock{
      "landlock",
      programOption("Confine engine node in the kernel: auto (default), on, off", "when"),
      oneOf({"auto", "on", "off"}), llvm::cl::init("auto")};
  TextOption mapping{"mapping", inputOption("Names of the functions, shown after a trap", "file"),
                     namesInput()};
  FlagOption deterministic{"deterministic",
                           programOption("Make clocks and random numbers the same in each run")};
  FlagOption quiet{"q", outputOption("Say nothing unless something is wrong")};

  static constexpr int nothingRecordedCode = 1;
  static constexpr int trapCode = 134;
  static constexpr int failureCode = 125;
};

/// Runs and records the program, and reports on stderr. Returns the program's exit code,
/// `trapCode`, `failureCode` if the record is incomplete, or `nothingRecordedCode` if a record was
/// requested but there is nothing to record. Fails for errors of warpo-run itself.
llvm::Expected<int> runAndReport(const RunToolOptions &options);

} // namespace warpo

#endif
