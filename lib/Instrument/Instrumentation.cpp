//===- Instrumentation.cpp - The registry of instrumentations -------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Instrument/Instrumentation.h"
#include "warpo/Wasm/OpcodeNames.h"
#include <algorithm>

using namespace llvm;
using namespace warpo;
using namespace warpo::wasm::opcode_names;

WARPO_INSTANTIATE_REGISTRY(warpo::Instrumentation)

wasm::FunctionRef ModuleDeclarations::importHostCall(wasm::HostCall call) {
  const wasm::HostCallInfo &info = wasm::hostCallInfo(call);
  return importFunction(wasm::hostModule, info.name, info.params, info.results);
}

void ModuleDeclarations::addEmptyFunctions(uint32_t count) {
  // V8's limit; each function may get a thunk, and instrumentations add a few of their own.
  constexpr uint64_t limit = 1000000, ownFunctions = 1000;
  uint64_t others = 2 * uint64_t(facts_.original->functionCount()) + ownFunctions;
  if (others < limit)
    editor_.addEmptyFunctions(uint32_t(std::min<uint64_t>(count, limit - others)));
}

Error warpo::exposeCounter(wasm::ModuleEditor &editor, bool asGlobal, wasm::Counter counter,
                           wasm::GlobalRef global) {
  const wasm::CounterInfo &info = wasm::counterInfo(counter);
  if (asGlobal)
    return editor.exportGlobal(info.global, global);
  wasm::CodeSequence get, set;
  get.globalGet(global);
  set.localGet(0).globalSet(global);
  if (Error error =
          editor.addExportedFunction(info.getter, {}, wasm::ValueType::i64, get).takeError())
    return error;
  return editor.addExportedFunction(info.setter, wasm::ValueType::i64, {}, set).takeError();
}

Expected<wasm::GlobalRef> ModuleDeclarations::addCounter(wasm::Counter counter) {
  wasm::GlobalRef global = editor_.addGlobal(wasm::ValueType::i64, true, 0);
  if (Error error = exposeCounter(editor_, exportsCounters_, counter, global))
    return error;
  return global;
}

static void pushZero(wasm::ValueType type, wasm::CodeSequence &code) {
  if (type == wasm::ValueType::i64)
    code.i64Const(0);
  else
    code.i32Const(0);
}

// Pushes the value of the global whose number, counted from `number`, is the parameter. Globals
// cannot be indexed, so this is a tree of comparisons.
static void appendSearch(wasm::GlobalRef first, uint32_t count, uint32_t number,
                         wasm::ValueType type, wasm::CodeSequence &code) {
  if (count == 1) {
    code.globalGet(first);
    return;
  }
  uint32_t half = count / 2;
  code.localGet(0).i32Const(int32_t(number + half)).raw({"i32.lt_u"_op, "if"_op, uint8_t(type)});
  appendSearch(first, half, number, type, code);
  code.raw("else"_op);
  appendSearch({first.origin, first.index + half}, count - half, number + half, type, code);
  code.raw("end"_op);
}

// The maximum number of values of a small function.
static constexpr uint32_t mostInPart = 100;

// Pushes one of many values, through small functions: V8 compiles a function when it is first
// called, and the time for each of its values grows with its size. `fullPart` is the code of one
// with the maximum size, for the global 0.
void ModuleDeclarations::appendChoice(StringRef name, wasm::ValueType type, wasm::GlobalRef first,
                                      uint32_t count,
                                      const std::shared_ptr<const wasm::CodeSequence> &fullPart,
                                      wasm::CodeSequence &code) {
  if (count <= mostInPart)
    return appendSearch(first, count, 0, type, code);
  // The first half consists of whole parts, so that all parts but the last have the maximum size.
  auto half = uint32_t(alignTo(count / 2, mostInPart));
  auto choose = [&](uint32_t begin, uint32_t size) {
    wasm::GlobalRef part{first.origin, first.index + begin};
    std::string partName = (name + " (part)").str();
    // Made when it is written: all parts together may take more memory than the module.
    if (size == mostInPart)
      return editor_.addFunction(
          partName, wasm::ValueType::i32, type,
          [=](wasm::CodeSequence &choice) { choice.append(*fullPart, part.index); });
    if (size < mostInPart)
      return editor_.addFunction(
          partName, wasm::ValueType::i32, type,
          [=](wasm::CodeSequence &choice) { appendSearch(part, size, 0, type, choice); });
    wasm::CodeSequence choice;
    appendChoice(name, type, part, size, fullPart, choice);
    return editor_.addFunction(partName, wasm::ValueType::i32, type, std::move(choice));
  };
  wasm::FunctionRef low = choose(0, half), high = choose(half, count - half);
  code.localGet(0).i32Const(int32_t(half)).raw({"i32.lt_u"_op, "if"_op, uint8_t(type)});
  code.localGet(0).call(low).raw("else"_op);
  code.localGet(0).i32Const(int32_t(half)).raw("i32.sub"_op).call(high).raw("end"_op);
}

Error ModuleDeclarations::addExportedNumbers(StringRef name, wasm::ValueType type,
                                             wasm::GlobalRef first, uint32_t count) {
  wasm::CodeSequence code;
  code.localGet(0).i32Const(int32_t(count));
  code.raw({"i32.lt_u"_op, "if"_op, uint8_t(type)});
  auto fullPart = std::make_shared<wasm::CodeSequence>();
  appendSearch({first.origin, 0}, mostInPart, 0, type, *fullPart);
  if (count == 0)
    pushZero(type, code);
  else
    appendChoice(name, type, first, count, fullPart, code);
  code.raw("else"_op);
  pushZero(type, code);
  code.raw("end"_op);
  return addExportedFunction(name, wasm::ValueType::i32, type, std::move(code)).takeError();
}
