//===- HostCallTypes.h - Host calls, for engines in this process ----------===//

#ifndef WARPO_LIB_ENGINE_HOSTCALLTYPES_H
#define WARPO_LIB_ENGINE_HOSTCALLTYPES_H

#include "warpo/Wasm/TracePoints.h"

namespace warpo {

/// The type of a host call as HostFunction::type writes it.
inline std::string typeOf(const wasm::HostCallInfo &info) {
  auto letters = [](llvm::ArrayRef<wasm::ValueType> types) {
    std::string text;
    for (wasm::ValueType type : types)
      text += type == wasm::ValueType::i64 ? 'l' : 'i';
    return text;
  };
  return letters(info.params) + ":" + letters(info.results);
}

/// A stack that a program keeps is the same for both.
inline bool isSample(wasm::HostCall call) {
  return call == wasm::HostCall::sample || call == wasm::HostCall::sampleCaller;
}

inline bool isSection(wasm::HostCall call) {
  return call == wasm::HostCall::beginSection || call == wasm::HostCall::endSection;
}

/// Whether a call gives something to be recorded: a module without one has nothing.
inline bool isRecorded(wasm::HostCall call) {
  return call == wasm::HostCall::tracePoint || call == wasm::HostCall::tracePointFuel ||
         isSection(call) || isSample(call);
}

} // namespace warpo

#endif
