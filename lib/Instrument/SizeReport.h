//===- SizeReport.h - The code that reports a size ------------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_INSTRUMENT_SIZEREPORT_H
#define WARPO_LIB_INSTRUMENT_SIZEREPORT_H

#include "warpo/Wasm/CodeSequence.h"
#include "warpo/Wasm/OpcodeNames.h"

namespace warpo {

/// Added to an operation that reports a size if the size was only noticed: none of the open calls
/// caused it.
inline constexpr int32_t foundFlag = 32;

/// Code that calls `heap`, which is `builtin.heap`, if a size differs from `last`, and stores it
/// there. `size` and `operation` push these as i64 and i32. `number` is the index of the memory or
/// table. The size is reported times 2^`shift`.
inline wasm::CodeSequence reportSize(const wasm::CodeSequence &size, wasm::GlobalRef last,
                                     const wasm::CodeSequence &operation, uint32_t number,
                                     int64_t shift, wasm::FunctionRef heap) {
  using namespace wasm::opcode_names;
  wasm::CodeSequence code = size;
  code.globalGet(last).raw({"i64.ne"_op, "if"_op, wasm::emptyBlockType});
  code.append(size).globalSet(last).append(operation);
  code.i64Const(number).raw("f64.convert_i64_u"_op).globalGet(last);
  if (shift != 0)
    code.i64Const(shift).raw("i64.shl"_op);
  code.raw("f64.convert_i64_u"_op).i64Const(0).raw("f64.convert_i64_u"_op);
  code.call(heap).raw("end"_op);
  return code;
}

} // namespace warpo

#endif
