//===- TrapPlaces.h - A trap's stack, with the lines of the source --------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_TOOLING_TRAPPLACES_H
#define WARPO_LIB_TOOLING_TRAPPLACES_H

#include "warpo/Engine/Engine.h"

namespace warpo {

class FunctionTable;

/// The frames of a trap of this program for people, with their places where a module's section
/// `warpo.places` knows them, or the debug information of one that was not instrumented:
/// `run (wasm-function[3]:0x57), app.c:12`, and in front of it what was inlined there, as
/// `square (inlined), app.c:3`. A frame without a unit that may be of several has none.
std::vector<std::string> describeStack(llvm::ArrayRef<TrapFrame> stack, const RunRequest &program);

/// Gives the functions of the program's instrumented modules the names that its record has.
void nameCalls(const RunRequest &program, FunctionTable &functions);

/// Of each of these open calls, innermost first, its place in this program for people: `app.c:12`
/// where it calls the one in front of it if all sites of that come to this line, else `in
/// app.c:10`, where the function begins; empty if neither is known.
std::vector<std::string> placesOfCalls(llvm::ArrayRef<OpenCall> calls, const RunRequest &program);

} // namespace warpo

#endif
