//===- NativeRun.h - One run in machine code ------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_ENGINE_NATIVE_NATIVERUN_H
#define WARPO_LIB_ENGINE_NATIVE_NATIVERUN_H

#include "NativeCompiler.h"

namespace warpo {

/// Compiles modules that are not in the cache, loads them and runs the program. Nothing is recorded
/// before all of them are ready.
llvm::Expected<RunResult> runNative(const RunRequest &request, const NativeCompiler &compiler);

} // namespace warpo

#endif
