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

/// The region of an address is (address >> regionShift) mod regions, and its cell is (address >>
/// cellShift) mod cells: as in heap-sampler.mjs. The table has the regions first, then the cells.
/// Most regions have no sampled object. Their entries are so few that they stay in the processor's
/// cache. The cells distinguish objects within the other regions: each free of an unsampled object
/// in a sampled one's cell is a needless report.
static constexpr int32_t regionShift = 12, regions = 1 << 14;
static constexpr int32_t cellShift = 5, cells = 1 << 15;

static constexpr wasm::ValueType i32 = wasm::ValueType::i32, f64 = wasm::ValueType::f64;
static constexpr wasm::ValueType externalReference{0x6f};

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
    table_ = declarations.addTable(regions + cells);
  return addExports(declarations, heap);
}

Error HeapFilter::addExports(ModuleDeclarations &declarations, wasm::FunctionRef heap) {
  wasm::CodeSequence code;
  code.globalGet(left_).raw("f64.convert_i64_u"_op);
  if (Error error =
          declarations.addExportedFunction("__warpo_heap_left", {}, f64, code).takeError())
    return error;

  code.clear();
  code.localGet(0).raw("i64.trunc_f64_u"_op).globalSet(left_);
  if (Error error =
          declarations.addExportedFunction("__warpo_set_heap_left", f64, {}, code).takeError())
    return error;

  // Older optimisers know no table.fill.
  code.clear();
  if (table_) {
    code.raw({"block"_op, wasm::emptyBlockType, "loop"_op, wasm::emptyBlockType});
    code.localGet(1).raw({"i32.eqz"_op, "br_if"_op, 1});
    code.localGet(0).localGet(2).raw("table.set"_op);
    appendTable(*table_, code);
    code.localGet(0).i32Const(1).raw({"i32.add"_op, "local.set"_op, 0});
    code.localGet(1).i32Const(1).raw({"i32.sub"_op, "local.set"_op, 1});
    code.raw({"br"_op, 0, "end"_op, "end"_op});
  }
  if (Error error =
          declarations
              .addExportedFunction("__warpo_skip_frees", {i32, i32, externalReference}, {}, code)
              .takeError())
    return error;

  code.clear();
  code.i32Const(connects);
  pushFloat(table_ ? regions + cells : 0, code);
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

/// Adds the size to what is left, or subtracts it.
void HeapFilter::count(uint8_t operation, function_ref<void()> pushSize,
                       wasm::CodeSequence &code) const {
  code.globalGet(left_);
  pushCounted(pushSize, code);
  code.raw(operation).globalSet(left_);
}

/// Whether the size is less than what is left.
void HeapFilter::pushFits(function_ref<void()> pushSize, wasm::CodeSequence &code) const {
  code.globalGet(left_);
  pushCounted(pushSize, code);
  code.raw("i64.gt_u"_op);
}

void HeapFilter::beginReported(function_ref<void()> pushSize, bool isSmall,
                               wasm::CodeSequence &code) const {
  if (!isSmall) {
    pushFits(pushSize, code);
    code.raw({"if"_op, wasm::emptyBlockType});
    count("i64.sub"_op, pushSize, code);
    code.raw("else"_op);
    return;
  }
  // Always subtracts, because shorter code is inlined by engines.
  count("i64.sub"_op, pushSize, code);
  code.globalGet(left_).i64Const(0).raw({"i64.le_s"_op, "if"_op, wasm::emptyBlockType});
  count("i64.add"_op, pushSize, code);
}

// A reallocation of no size may be a free, by which nothing is counted down.
void HeapFilter::beginReported(function_ref<void()> pushSize, function_ref<void()> pushOld,
                               bool is64, wasm::CodeSequence &code) const {
  pushFits(pushSize, code);
  pushSize();
  code.raw({"i64.eqz"_op, "i32.eqz"_op, "i32.and"_op});
  pushIsReported(pushOld, is64, code);
  code.raw({"i32.eqz"_op, "i32.and"_op, "if"_op, wasm::emptyBlockType});
  count("i64.sub"_op, pushSize, code);
  code.raw("else"_op);
}

/// Whether the entry of an address is null, among `count` entries from `first` on.
void HeapFilter::pushIsNull(function_ref<void()> pushAddress, bool is64, int32_t shift,
                            int32_t first, int32_t count, wasm::CodeSequence &code) const {
  pushAddress();
  if (is64)
    code.raw("i32.wrap_i64"_op);
  code.i32Const(shift).raw("i32.shr_u"_op).i32Const(count - 1).raw("i32.and"_op);
  if (first != 0)
    code.i32Const(first).raw("i32.add"_op);
  code.raw("table.get"_op);
  appendTable(*table_, code);
  code.raw("ref.is_null"_op);
}

void HeapFilter::pushIsReported(function_ref<void()> pushAddress, bool is64,
                                wasm::CodeSequence &code) const {
  pushIsNull(pushAddress, is64, regionShift, 0, regions, code);
  code.raw({"if"_op, uint8_t(i32)});
  pushIsNull(pushAddress, is64, cellShift, regions, cells, code);
  code.raw("else"_op).i32Const(0).raw("end"_op);
}
