//===- Instrumentation.cpp - The registry, and what may be added to modules ---===//

#include "warpo/Instrument/Instrumentation.h"

using namespace llvm;
using namespace warpo;

WARPO_INSTANTIATE_REGISTRY(warpo::Instrumentation)

wasm::FunctionRef ModuleDeclarations::importHostCall(wasm::HostCall call) {
  const wasm::HostCallInfo &info = wasm::hostCallInfo(call);
  return importFunction(wasm::hostModule, info.name, info.params, info.results);
}

Expected<wasm::GlobalRef> ModuleDeclarations::addExportedCounter(StringRef name) {
  wasm::GlobalRef global = editor_.addGlobal(wasm::ValueType::i64, true, 0);
  if (Error error = editor_.exportGlobal(name, global))
    return error;
  return global;
}
