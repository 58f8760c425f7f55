//===- Instrumenting.h - What warpo-record inserts into modules -----------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_TOOLING_RECORDTOOL_INSTRUMENTING_H
#define WARPO_LIB_TOOLING_RECORDTOOL_INSTRUMENTING_H

#include "../common/TemporaryFolder.h"
#include "RecordedFiles.h"
#include "warpo/Tooling/RecordTool.h"

namespace warpo {

/// Stacks of a heap that is sampled in Node.
inline constexpr llvm::StringLiteral engineStack = "--heap-stack=engine";

/// Whether modules are instrumented. Otherwise the program is sampled as it is.
bool instruments(const RecordToolOptions &options);

/// What the program leaves.
inline RecordedKind recordedKind(const RecordToolOptions &options) {
  return options.counts ? RecordedKind::counts : RecordedKind::record;
}

/// As warpo-instrument takes them.
std::string instrumentationsOf(const RecordToolOptions &options);

/// Instruments `module`, the one with this number of the program, into `folder`; the path becomes
/// that of the copy.
llvm::Error instrument(const RecordToolOptions &options, std::string &module,
                       const TemporaryFolder &folder, size_t number);

} // namespace warpo

#endif
