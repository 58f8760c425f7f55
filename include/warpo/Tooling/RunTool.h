//===- RunTool.h - What warpo-run does ------------------------------------===//

#ifndef WARPO_TOOLING_RUNTOOL_H
#define WARPO_TOOLING_RUNTOOL_H

#include "llvm/Support/Error.h"
#include <optional>
#include <string>
#include <vector>

namespace warpo {

/// The command line of warpo-run, as it was given.
struct RunToolOptions {
  std::string app;
  std::vector<std::string> arguments;
  std::string engine;
  /// `-` for standard output; nothing: the recorder's environment variables, else warpo.rec.
  std::optional<std::string> record;
  /// `warp` or `warpo`; empty: `warpo` if the record's name ends in .warpo, else what the
  /// recorder's variable says, else `warp`, or `warpo` for a program that counts fuel.
  std::string recordFormat;
  std::optional<uint64_t> maxItems;
  std::string invoke;
  std::vector<std::string> invokeArguments;
  /// `name=file`
  std::vector<std::string> links;
  /// `NAME=value`, or `NAME` to hand on our own.
  std::vector<std::string> environment;
  /// `host::guest`, or one path for both.
  std::vector<std::string> directories;
  std::string host;
  std::string mapping;
  bool deterministic = false;
  std::optional<uint64_t> fuelLimit;
  bool onlyFuel = false;
  std::optional<uint64_t> sampleEvery;
  std::optional<uint64_t> frequency;
  std::string guestStack = "auto";
  bool quiet = false;

  static constexpr int trapCode = 134;
  static constexpr int failureCode = 125;
};

/// Runs and records the program and reports on stderr how it went. Returns the exit code: the
/// program's own, `trapCode`, or `failureCode` if the record is not whole; an error is our own.
llvm::Expected<int> runAndReport(const RunToolOptions &options);

} // namespace warpo

#endif
