//===- Instrumenting.h - Instruments modules for warpo-record -------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_TOOLING_RECORDTOOL_INSTRUMENTING_H
#define WARPO_LIB_TOOLING_RECORDTOOL_INSTRUMENTING_H

#include "../common/TemporaryFolder.h"
#include "RecordedFiles.h"
#include "warpo/Tooling/RecordTool.h"

namespace warpo {

/// For heaps sampled in Node.
inline constexpr llvm::StringLiteral engineStack = "--heap-stack=engine";

/// Whether to instrument modules. Otherwise the unmodified program is sampled.
bool instruments(const RecordToolOptions &options);

/// The kind of results that the program writes.
inline RecordedKind recordedKind(const RecordToolOptions &options) {
  return options.counts ? RecordedKind::counts : RecordedKind::record;
}

/// The value for warpo-instrument's option.
std::string instrumentationsOf(const RecordToolOptions &options);

/// Instruments the modules of a program that warpo-run runs.
class ProgramInstrumenter {
public:
  /// Copies go to `folder`, which outlives this object like `options`.
  ProgramInstrumenter(const RecordToolOptions &options, const TemporaryFolder &folder)
      : options_(options), folder_(folder) {}

  /// Writes an instrumented copy of `module` and sets `module` to its path.
  llvm::Error instrument(std::string &module);

private:
  llvm::Error chooseArguments();

  const RecordToolOptions &options_;
  const TemporaryFolder &folder_;
  size_t count_ = 0;
  /// Of warpo-instrument, for each module; empty before the first.
  std::vector<std::string> arguments_;
};

} // namespace warpo

#endif
