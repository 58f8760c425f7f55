//===- HeapFilter.cpp -----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "HeapFilter.h"
#include "warpo/Wasm/OpcodeNames.h"
#include "llvm/Support/LEB128.h"

using namespace llvm;
using namespace warpo;
using namespace warpo::wasm::opcode_names;

/// The operation of builtin.heap by which a host that asks for it learns whose exports these are.
static constexpr int32_t connects = 4;

/// The cell of an address is (address * factor mod 2^32) >> shift: as in heap-sampler.mjs.
static constexpr uint32_t cellFactor = 0x9e3779b1;
static constexpr int32_t cellShift = 18, cells = 1 << (32 - cellShift);

static constexpr wasm::ValueType i32 = wasm::ValueType::i32, f64 = wasm::ValueType::f64;
static constexpr uint8_t functionReference = 0x70;

static void appendTable(uint32_t table, wasm::CodeSequence &code) {
  uint8_t number[10];
  code.raw({number, encodeULEB128(table, number)});
}

static void pushFloat(int32_t number, wasm::CodeSequence &code) {
  code.i32Const(number).raw("f64.convert_i32_u"_op);
}

Error HeapFilter::declare(ModuleDeclarations &declarations, wasm::FunctionRef heap,
                          bool othersFree) {
  left_ = declarations.addGlobal(wasm::ValueType::i64, true, 0);
  if (!othersFree)
    table_ = declarations.addTable(cells);
  return addExports(declarations, heap);
}

Error HeapFilter::addExports(ModuleDeclarations &declarations, wasm::FunctionRef heap) {
  wasm::CodeSequence code;
  code.globalGet(left_).raw("f64.convert_i64_u"_op);
  auto getter = declarations.addExportedFunction("__warpo_heap_left", {}, f64, code);
  if (!getter)
    return getter.takeError();

  code.clear();
  code.localGet(0).raw("i64.trunc_f64_u"_op).globalSet(left_);
  if (Error error =
          declarations.addExportedFunction("__warpo_set_heap_left", f64, {}, code).takeError())
    return error;

  // Any function does for a cell that is set. Older optimisers know no table.fill.
  code.clear();
  if (table_) {
    code.raw({"block"_op, wasm::emptyBlockType, "loop"_op, wasm::emptyBlockType});
    code.localGet(1).raw({"i32.eqz"_op, "br_if"_op, 1});
    code.localGet(0).localGet(2).raw({"if"_op, functionReference}).refFunc(*getter);
    code.raw({"else"_op, "ref.null"_op, functionReference, "end"_op, "table.set"_op});
    appendTable(*table_, code);
    code.localGet(0).i32Const(1).raw({"i32.add"_op, "local.set"_op, 0});
    code.localGet(1).i32Const(1).raw({"i32.sub"_op, "local.set"_op, 1});
    code.raw({"br"_op, 0, "end"_op, "end"_op});
  }
  if (Error error =
          declarations.addExportedFunction("__warpo_skip_frees", {i32, i32, i32}, {}, code)
              .takeError())
    return error;

  code.clear();
  code.i32Const(connects);
  pushFloat(table_ ? cells : 0, code);
  pushFloat(0, code);
  pushFloat(0, code);
  code.call(heap);
  return declarations.addExportedFunction("__warpo_connect_heap", {}, {}, code).takeError();
}

/// No bytes count as one.
static void pushCounted(function_ref<void()> pushSize, wasm::CodeSequence &code) {
  pushSize();
  pushSize();
  code.raw({"i64.eqz"_op, "i64.extend_i32_u"_op, "i64.or"_op});
}

void HeapFilter::pushSkipsSize(function_ref<void()> pushSize, wasm::CodeSequence &code) const {
  code.globalGet(left_);
  pushCounted(pushSize, code);
  code.raw("i64.gt_u"_op);
}

void HeapFilter::countDown(function_ref<void()> pushSize, wasm::CodeSequence &code) const {
  code.globalGet(left_);
  pushCounted(pushSize, code);
  code.raw("i64.sub"_op).globalSet(left_);
}

void HeapFilter::pushSkipsObject(wasm::CodeSequence &code) const {
  code.raw("i32.wrap_i64"_op).i32Const(int32_t(cellFactor)).raw("i32.mul"_op);
  code.i32Const(cellShift).raw({"i32.shr_u"_op, "table.get"_op});
  appendTable(*table_, code);
  code.raw({"ref.is_null"_op, "i32.eqz"_op});
}
