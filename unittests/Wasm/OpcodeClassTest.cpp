//===- OpcodeClassTest.cpp ------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Wasm/OpcodeClass.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace warpo;

TEST(OpcodeClassTest, ClassesFollowNames) {
  struct Case {
    StringRef opcode, expected;
  };
  for (auto [opcode, expected] : {Case{"local.tee", "local"},
                                  {"i64.const", "constant"},
                                  {"f32.load", "load"},
                                  {"i64.store32", "store"},
                                  {"i32.eqz", "comparison"},
                                  {"f64.ge", "comparison"},
                                  {"i64.le_u", "comparison"},
                                  {"i32.wrap_i64", "conversion"},
                                  {"i64.extend32_s", "conversion"},
                                  {"f32.convert_i64_u", "conversion"},
                                  {"i32.trunc_sat_f64_s", "conversion"},
                                  {"f64.trunc", "floating point"},
                                  {"f32.neg", "floating point"},
                                  {"i32.popcnt", "integer arithmetic"},
                                  {"i64.mul_wide_u", "integer arithmetic"},
                                  {"br_on_cast", "branch"},
                                  {"if", "branch"},
                                  {"return", "branch"},
                                  {"return_call_ref", "call"},
                                  {"throw_ref", "exception"},
                                  {"drop", "operand"},
                                  {"memory.grow", "memory"},
                                  {"data.drop", "memory"},
                                  {"elem.drop", "table"},
                                  {"ref.cast null", "reference"},
                                  {"array.new_fixed", "object"},
                                  {"struct.atomic.get", "atomic"},
                                  {"i32.atomic.rmw.add", "atomic"},
                                  {"memory.atomic.wait32", "atomic"},
                                  {"pause", "atomic"},
                                  {"cont.bind", "stack switch"},
                                  {"resume_throw", "stack switch"},
                                  {"stringview_wtf16.slice", "string"},
                                  {"i8x16.swizzle", "vector"},
                                  {"v128.load", "vector"}}) {
    SCOPED_TRACE(opcode.str());
    auto found = wasm::opcodesNamed(opcode);
    ASSERT_FALSE(found.empty());
    EXPECT_EQ(wasm::classOf(*found.front()), expected);
  }
}
