//===- TrapPlaces.h - Stacks of traps with source lines -------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_TOOLING_TRAPPLACES_H
#define WARPO_LIB_TOOLING_TRAPPLACES_H

#include "warpo/Engine/Engine.h"

namespace warpo {

class FunctionTable;

/// The frames of a trap for display, with locations from a module's section `warpo.places`, or from
/// the debug information of an uninstrumented module: `run (wasm-function[3]:0x57), app.c:12`,
/// preceded by functions inlined there, as in `square (inlined), app.c:3`. A frame without a unit
/// has no location if it may belong to several.
std::vector<std::string> describeStack(llvm::ArrayRef<TrapFrame> stack, const RunRequest &program);

/// Adds the names of the functions of the program's instrumented modules, as in its record.
void nameCalls(const RunRequest &program, FunctionTable &functions);

/// For each of these open calls, innermost first, its location for display: `app.c:12` if all its
/// calls of the previous function are on this line, otherwise `in app.c:10`, where the function
/// begins; empty if neither is known.
std::vector<std::string> placesOfCalls(llvm::ArrayRef<OpenCall> calls, const RunRequest &program);

} // namespace warpo

#endif
