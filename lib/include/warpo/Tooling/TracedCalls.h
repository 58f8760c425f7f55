//===- TracedCalls.h - Reads the calls of a record ------------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_TOOLING_TRACEDCALLS_H
#define WARPO_TOOLING_TRACEDCALLS_H

#include "warpo/Counts/ReachedFunctions.h"
#include "warpo/Tooling/ReadingTool.h"
#include <functional>

namespace warpo {

/// Returns a function that reads a record, or a saved profile, of a module; empty if `record` is.
/// It reports damage on stderr. Without `options`, default options are used, as a tool can have
/// only one object of these.
std::function<llvm::Expected<TracedCalls>(const wasm::Module &)>
traceReader(const std::string &record, const ReadingOptions *options = nullptr);

} // namespace warpo

#endif
