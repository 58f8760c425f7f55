//===- CodeWalkerTest.cpp -------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Wasm/CodeWalker.h"
#include "TestModule.h"
#include "warpo/Wasm/OpcodeNames.h"
#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"
#include <optional>

using namespace llvm;
using namespace warpo;
using namespace warpo::wasm;
using namespace warpo::wasm::opcode_names;
using namespace warpo::test;

namespace {

// The instructions of an expression, each as its name, depth and size, and `!` where it branches to
// the expression's own label; then the error, if any.
std::string walk(StringRef code) {
  Bytes bytes = bytesOf(code);
  ByteCursor cursor(bytes, 0x10);
  std::string seen;
  CodeWalker walker(cursor);
  for (Instruction instruction; walker.next(instruction);) {
    seen += std::string(instruction.info->name) + " " + std::to_string(instruction.depth) + " " +
            std::to_string(instruction.end - instruction.begin);
    seen += instruction.leavesExpression ? "!; " : "; ";
  }
  if (Error error = cursor.takeError("f"))
    seen += toString(std::move(error));
  else if (!cursor.atEnd())
    seen += "rest " + std::to_string(cursor.remaining());
  return seen;
}

struct Case {
  const char *name;
  const char *code;
  const char *expected;
};

const Case cases[] = {
    {"empty", "0b", "end 0 1; "},
    {"rest", "0b 01", "end 0 1; rest 1"},
    {"padded index", "10 85 80 80 80 00 0b", "call 0 6; end 0 1; "},
    {"blocks", "02 40 03 7f 0b 0b 0b", "block 0 2; loop 1 2; end 2 1; end 1 1; end 0 1; "},
    {"control flow with bytes behind", "02 40 03 40 04 40 0d 02 0c 03 0b 0b 0b 0b 00 00 00 00",
     "block 0 2; loop 1 2; if 2 2; br_if 3 2; br 3 2!; end 3 1; end 2 1; end 1 1; end 0 1; "
     "rest 4"},
    {"if else", "04 40 05 0b 0b", "if 0 2; else 1 1; end 1 1; end 0 1; "},
    {"block of a type", "02 ff 00 0b 0b", "block 0 3; end 1 1; end 0 1; "},
    {"block of a reference", "02 64 05 0b 0b", "block 0 3; end 1 1; end 0 1; "},
    {"br out", "02 40 0c 01 0c 00 0b 0b", "block 0 2; br 1 2!; br 1 2; end 1 1; end 0 1; "},
    {"br_table out", "02 40 0e 02 00 00 01 0b 0b", "block 0 2; br_table 1 5!; end 1 1; end 0 1; "},
    {"br_table inside", "02 40 0e 01 00 00 0b 0b", "block 0 2; br_table 1 4; end 1 1; end 0 1; "},
    {"constants", "41 80 7f 42 80 80 7f 43 00 00 00 00 44 00 00 00 00 00 00 00 00 0b",
     "i32.const 0 3; i64.const 0 4; f32.const 0 5; f64.const 0 9; end 0 1; "},
    {"memory", "28 02 08 28 42 01 ff ff ff ff ff ff ff ff ff 01 0b",
     "i32.load 0 3; i32.load 0 13; end 0 1; "},
    {"memory, order and array type before the offset",
     "28 42 01 10 fe 10 12 01 10 fe 17 52 01 01 0b 36 22 01 0b 28 72 01 01 05 0b 0b",
     "i32.load 0 4; i32.atomic.load 0 5; i32.atomic.store 0 6; i32.store 0 4; i32.load 0 6; "
     "end 0 1; "},
    {"vectors", "fd 0c 00 01 02 03 04 05 06 07 08 09 0a 0b 0c 0d 0e 0f fd 54 00 00 07 fd 80 02 0b",
     "v128.const 0 18; v128.load8_lane 0 5; i8x16.relaxed_swizzle 0 3; end 0 1; "},
    {"select of types", "1c 01 6f 0b", "select 0 3; end 0 1; "},
    {"delegate", "06 40 18 00 0b", "try 0 2; delegate 1 2; end 0 1; "},
    {"try_table out", "1f 40 02 00 03 00 02 00 0b 0b", "try_table 0 8!; end 1 1; end 0 1; "},
    {"casts", "fb 18 03 00 6e 6c 0b", "br_on_cast 0 6!; end 0 1; "},
    {"handlers", "02 40 e3 01 02 00 03 00 01 04 0b 0b",
     "block 0 2; resume 1 8; end 1 1; end 0 1; "},

    {"no end", "01", "nop 0 1; f:0x11: unexpected end: 1 byte wanted, 0 left"},
    {"nothing", "", "f:0x10: unexpected end: 1 byte wanted, 0 left"},
    {"block without end", "02 40 0b",
     "block 0 2; end 1 1; f:0x13: unexpected end: 1 byte wanted, 0 left"},
    {"unknown opcode", "01 ff 0b", "nop 0 1; f:0x11: unknown opcode 0xff"},
    {"unknown second opcode", "fd ff 03 0b", "f:0x10: unknown opcode 0xfd 0x1ff"},
    {"huge second opcode", "fc ff ff ff ff 0f 0b", "f:0x10: unknown opcode 0xfc 0xffffffff"},
    {"index too long", "10 80 80 80 80 80 00 0b", "f:0x16: number too long for 32 bits"},
    {"index too large", "10 ff ff ff ff 1f 0b", "f:0x15: number too large for 32 bits"},
    {"constant too large", "41 ff ff ff ff 08 0b", "f:0x15: number too large for 32 bits"},
    {"label", "0c 01 0b", "f:0x11: branch over 1 blocks, of which only 0 are open"},
    {"huge br_table", "0e ff ff ff ff 0f 0b", "f:0x16: count 4294967295, but 1 bytes are left"},
    {"huge select", "1c ff ff ff ff 0f 0b", "f:0x16: count 4294967295, but 1 bytes are left"},
    {"cut constant", "44 00 00", "f:0x11: unexpected end: 8 bytes wanted, 2 left"},
    {"unknown block type", "02 41 0b", "f:0x11: unknown value type 0x41"},
    {"unknown memory access", "28 82 01 00 0b", "f:0x11: unknown form of memory access 0x82"},
    {"unknown clause", "1f 40 01 04 00 0b 0b", "f:0x13: unknown form of clause 0x4"},
    {"delegate of nothing", "18 00", "f:0x10: delegate outside of a block"},
};

TEST(CodeWalker, Walks) {
  for (const Case &test : cases) {
    SCOPED_TRACE(test.name);
    EXPECT_EQ(walk(test.code), test.expected);
  }
}

// What is read of an instruction.
struct Read {
  const OpcodeInfo *info;
  ptrdiff_t immediates;
  ptrdiff_t size;
  uint32_t index;
  uint32_t depth;
  bool leavesExpression;
  std::vector<uint32_t> labels;

  bool operator==(const Read &) const = default;
};

// Reads the instruction behind a block's head and a branch, if possible.
std::optional<Read> readThird(ArrayRef<uint8_t> code, bool wantsLabels) {
  ByteCursor cursor(code);
  SmallVector<uint32_t> labels;
  CodeWalker walker(cursor, wantsLabels ? &labels : nullptr);
  Instruction read;
  for (int i = 0; i != 3; ++i)
    if (!walker.next(read))
      return std::nullopt;
  ImmediateKind kind = read.firstImmediate();
  bool hasIndex = kind >= ImmediateKind::function && kind <= ImmediateKind::label;
  return Read{read.info,
              read.immediates - read.begin,
              read.end - read.begin,
              hasIndex ? read.index() : 0,
              read.depth,
              read.leavesExpression,
              {labels.begin(), labels.end()}};
}

// Instructions are read by another path if many bytes follow.
TEST(CodeWalker, ReadsTheSameWhateverFollows) {
  constexpr uint8_t bytes[] = {0, 1, 0x0f, 0x10, 0x20, 0x3f, 0x40, 0x7f, 0x80, 0xff};
  // Of a number, before its last byte.
  constexpr unsigned mostContinued = 5;
  for (unsigned opcode = 0; opcode != 256; ++opcode)
    for (uint8_t second : bytes)
      for (uint8_t last : bytes)
        for (unsigned continued = 0; continued <= mostContinued; ++continued) {
          SCOPED_TRACE(std::to_string(opcode) + " " + std::to_string(second) + " " +
                       std::to_string(last) + " " + std::to_string(continued));
          SmallVector<uint8_t> alone{"block"_op, emptyBlockType,  "br"_op,
                                     0,          uint8_t(opcode), second};
          alone.append(continued, 0x81);
          alone.push_back(last);
          SmallVector<uint8_t> followed(alone);
          followed.append(32, 0);
          for (bool wantsLabels : {false, true}) {
            std::optional<Read> read = readThird(followed, wantsLabels);
            if (read && read->size > ptrdiff_t(alone.size()) - 4)
              read.reset();
            EXPECT_TRUE(readThird(alone, wantsLabels) == read);
          }
        }
}

TEST(CodeWalker, CountsInstructions) {
  Bytes bytes = bytesOf("02 40 01 0b 0b");
  ByteCursor cursor(bytes);
  EXPECT_EQ(countInstructions(cursor), 4u);
  EXPECT_TRUE(cursor.atEnd());
}

TEST(CodeWalker, SkipsLocals) {
  Bytes bytes = bytesOf("02 03 7f 01 63 70 0b");
  ByteCursor cursor(bytes);
  skipLocals(cursor);
  EXPECT_TRUE(cursor.ok());
  EXPECT_EQ(cursor.offset(), 6u);

  bytes = bytesOf("02 ff ff ff ff 0f 7f 01 7f 0b");
  ByteCursor many(bytes);
  skipLocals(many);
  EXPECT_EQ(toString(many.takeError("f")), "f:0x9: more than 2^32 local variables");
}

} // namespace
