//===- TracePoints.h - The trace points of an instrumented module ---------===//

#ifndef WARPO_WASM_TRACEPOINTS_H
#define WARPO_WASM_TRACEPOINTS_H

#include "warpo/Wasm/Module.h"
#include <optional>

namespace warpo::wasm {

/// Whether a name is that of the function which trace points call.
inline bool isTracePoint(llvm::StringRef module, llvm::StringRef name) {
  return module == "builtin" && name == "tracePoint";
}

/// The index of that function; nothing if the module has none, as it is not instrumented.
inline std::optional<uint32_t> tracePointFunction(const Module &module) {
  for (uint32_t i = 0; i != module.importedFunctionCount(); ++i)
    if (isTracePoint(module.importOf(i).module, module.importOf(i).name))
      return i;
  return std::nullopt;
}

} // namespace warpo::wasm

#endif
