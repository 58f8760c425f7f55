//===- NativeRun.h - Runs what has been compiled --------------------------===//

#ifndef WARPO_LIB_ENGINE_NATIVE_NATIVERUN_H
#define WARPO_LIB_ENGINE_NATIVE_NATIVERUN_H

#include "../PhaseLog.h"
#include "NativeCompiler.h"

namespace warpo {

/// Compiles the modules where that has not been done, loads them and runs the program. Nothing is
/// recorded before all of them are ready. `phases` are those until now.
llvm::Expected<RunResult> runNative(const RunRequest &request, const NativeProgram &program,
                                    const NativeCompiler &compiler, PhaseLog phases);

} // namespace warpo

#endif
