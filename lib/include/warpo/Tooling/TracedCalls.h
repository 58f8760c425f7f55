//===- TracedCalls.h - Who called whom, by a record -----------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_TOOLING_TRACEDCALLS_H
#define WARPO_TOOLING_TRACEDCALLS_H

#include "warpo/Counts/ReachedFunctions.h"
#include "warpo/Tooling/ReadingTool.h"
#include <functional>

namespace warpo {

/// Reads a record, or a saved profile, of the module that it is given; none if there is no record.
/// Says on stderr what was damaged. Without `options` the record is read as it is: a tool has one
/// object of these at most.
std::function<llvm::Expected<TracedCalls>(const wasm::Module &)>
traceReader(const std::string &record, const ReadingOptions *options = nullptr);

} // namespace warpo

#endif
