//===- HostCallTypes.h - Host calls, for engines in this process ----------===//

#ifndef WARPO_LIB_ENGINE_HOSTCALLTYPES_H
#define WARPO_LIB_ENGINE_HOSTCALLTYPES_H

#include "warpo/Wasm/TracePoints.h"

namespace warpo {

/// Which trace point an import is: tracePoint or tracePointFuel; nothing if it is none.
inline std::optional<wasm::HostCall> asTracePoint(llvm::StringRef module, llvm::StringRef name) {
  const wasm::HostCallInfo *info = wasm::findHostCall(module, name);
  if (info &&
      (info->call == wasm::HostCall::tracePoint || info->call == wasm::HostCall::tracePointFuel))
    return info->call;
  return std::nullopt;
}

/// The type of a trace point as HostFunction::type writes it.
inline llvm::StringRef typeOfTracePoint(wasm::HostCall call) {
  return call == wasm::HostCall::tracePointFuel ? "il:" : "i:";
}

/// What Engine::provides of an engine that gives programs a GuestHost.
inline bool isProvidedInProcess(wasm::HostCall call) {
  return call == wasm::HostCall::tracePoint || call == wasm::HostCall::tracePointFuel ||
         call == wasm::HostCall::outOfFuel;
}

} // namespace warpo

#endif
