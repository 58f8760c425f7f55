//===- TracedNames.cpp ----------------------------------------------------===//

#include "TracedNames.h"
#include "warpo/Wasm/CodeWalker.h"
#include "warpo/Wasm/TracePoints.h"

using namespace llvm;
using namespace warpo;

/// The id of `i32.const id` and `call $tracePoint` at the start of a body; 0 if something else
/// stands there.
static int32_t idOfBody(const wasm::ByteRange &body, uint32_t tracePoint) {
  ByteCursor cursor = body.cursor();
  wasm::skipLocals(cursor);
  wasm::CodeWalker walker(cursor);
  wasm::Instruction constant, call;
  bool traces = walker.next(constant) && StringRef(constant.info->name) == "i32.const" &&
                walker.next(call) && StringRef(call.info->name) == "call" &&
                call.index == tracePoint && cursor.ok();
  if (!traces)
    return 0;
  return ByteCursor(ArrayRef<uint8_t>(constant.immediates, constant.end)).sleb32();
}

std::vector<FunctionName> warpo::tracedNames(ArrayRef<uint8_t> bytes) {
  std::vector<FunctionName> names;
  auto module = wasm::readModule(bytes, "");
  if (!module) {
    consumeError(module.takeError());
    return names;
  }
  std::optional<uint32_t> tracePoint = wasm::tracePointFunction(*module);
  if (!tracePoint)
    return names;
  for (auto [i, body] : enumerate(module->bodies)) {
    StringRef name = module->names.function(module->importedFunctionCount() + uint32_t(i));
    if (name.empty())
      continue;
    if (int32_t id = idOfBody(body, *tracePoint); id > 0)
      names.push_back({id, name.str()});
  }
  return names;
}

std::string warpo::nameOfModule(ArrayRef<uint8_t> bytes) {
  auto module = wasm::readModule(bytes, "");
  if (module)
    return module->names.module.str();
  consumeError(module.takeError());
  return "";
}
