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

/// Writes an instrumented copy of `module` to `folder` and sets `module` to its path. `number` is
/// unique among the program's modules.
llvm::Error instrument(const RecordToolOptions &options, std::string &module,
                       const TemporaryFolder &folder, size_t number);

} // namespace warpo

#endif
