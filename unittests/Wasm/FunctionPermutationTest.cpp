//===- FunctionPermutationTest.cpp - Every index follows ------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Wasm/FunctionPermutation.h"
#include "TestModule.h"
#include "warpo/Wasm/ModuleEditor.h"
#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace warpo;
using namespace warpo::wasm;
using namespace warpo::test;

namespace {

std::string permute(ArrayRef<uint8_t> bytes, ArrayRef<uint32_t> front) {
  Expected<Module> module = readModule(bytes, "m");
  if (!module)
    return toString(module.takeError());
  auto permutation = FunctionPermutation::create(*module, front);
  if (!permutation)
    return toString(permutation.takeError());
  ModuleEditor editor(*module, *permutation);
  SmallVector<uint8_t, 0> out;
  auto statistics = editor.write([](uint32_t, FunctionEdit &) {}, out);
  if (!statistics)
    return toString(statistics.takeError());
  return hexOf(out);
}

// One imported function, 0, and three with code: 1 and 3 of one type, 2 of another.
const std::string types = section(1, "02 60 00 00 60 00 01 7f");
const std::string import = section(2, "01 'm' 'i' 00 00");

struct Case {
  const char *name;
  std::vector<std::string> before;
  std::vector<std::string> after;
};

// Each is brought into the order 3 1 2: function 1 becomes 2, 2 becomes 3, 3 becomes 1.
const Case cases[] = {
    {"bodies and their types",
     {section(3, "03 00 01 00"), section(10, "03 02 00 0b 04 00 41 05 0b 03 00 01 0b")},
     {section(3, "03 00 00 01"), section(10, "03 03 00 01 0b 02 00 0b 04 00 41 05 0b")}},
    {"calls, tail calls, references in code",
     {section(3, "03 00 01 00"),
      section(10, "03 06 00 10 00 10 03 0b 04 00 12 02 0b 05 00 d2 01 1a 0b")},
     {section(3, "03 00 00 01"),
      section(10, "03 05 00 d2 02 1a 0b 06 00 10 00 10 01 0b 04 00 12 03 0b")}},
    {"exports and the start function",
     {section(3, "03 00 01 00"), section(7, "03 'i' 00 00 'f' 00 01 'm' 02 00"), section(8, "03"),
      section(10, "03 02 00 0b 04 00 41 05 0b 03 00 01 0b")},
     {section(3, "03 00 00 01"), section(7, "03 'i' 00 00 'f' 00 02 'm' 02 00"), section(8, "01"),
      section(10, "03 03 00 01 0b 02 00 0b 04 00 41 05 0b")}},
    {"the values of tables and globals",
     {section(3, "03 00 01 00"), section(4, "01 40 00 70 00 01 d2 01 0b"),
      section(6, "01 70 00 d2 02 0b"), section(10, "03 02 00 0b 04 00 41 05 0b 03 00 01 0b")},
     {section(3, "03 00 00 01"), section(4, "01 40 00 70 00 01 d2 02 0b"),
      section(6, "01 70 00 d2 03 0b"), section(10, "03 03 00 01 0b 02 00 0b 04 00 41 05 0b")}},
    {"all eight kinds of elements",
     {section(3, "03 00 01 00"), section(4, "01 70 00 08"),
      section(9, "08 00 41 00 0b 01 01  01 00 01 02  02 00 41 01 0b 00 01 03  03 00 02 00 01"
                 "04 41 00 0b 01 d2 01 0b  05 70 01 d2 02 0b  06 00 41 01 0b 70 01 d2 03 0b"
                 "07 70 02 d0 70 0b d2 01 0b"),
      section(10, "03 02 00 0b 04 00 41 05 0b 03 00 01 0b")},
     {section(3, "03 00 00 01"), section(4, "01 70 00 08"),
      section(9, "08 00 41 00 0b 01 02  01 00 01 03  02 00 41 01 0b 00 01 01  03 00 02 00 02"
                 "04 41 00 0b 01 d2 02 0b  05 70 01 d2 03 0b  06 00 41 01 0b 70 01 d2 01 0b"
                 "07 70 02 d0 70 0b d2 02 0b"),
      section(10, "03 03 00 01 0b 02 00 0b 04 00 41 05 0b")}},
    {"names of functions, locals and labels rise again",
     {section(3, "03 00 01 00"), section(10, "03 02 00 0b 04 00 41 05 0b 03 00 01 0b"),
      section(0, "'name' 00 02 'M' 01 0d 04 00 'i' 01 'f' 02 'g' 03 'h'"
                 "02 0d 03 01 01 00 'x' 02 00 03 01 00 'z' 03 06 01 03 01 00 'l' 04 04 01 00 't'")},
     {section(3, "03 00 00 01"), section(10, "03 03 00 01 0b 02 00 0b 04 00 41 05 0b"),
      section(0,
              "'name' 00 02 'M' 01 0d 04 00 'i' 01 'h' 02 'f' 03 'g'"
              "02 0d 03 01 01 00 'z' 02 01 00 'x' 03 00 03 06 01 01 01 00 'l' 04 04 01 00 't'")}},
    {"hints of functions rise again, targets of calls follow",
     {section(3, "03 00 01 00"),
      section(0, "'metadata.code.branch_hint' 02 01 01 00 01 00 03 01 01 01 01"),
      section(0, "'metadata.code.call_targets' 01 02 01 00 06 03 32 01 14 00 0a"),
      section(10, "03 02 00 0b 04 00 41 05 0b 03 00 01 0b")},
     {section(3, "03 00 00 01"),
      section(0, "'metadata.code.branch_hint' 02 01 01 01 01 01 02 01 00 01 00"),
      section(0, "'metadata.code.call_targets' 01 03 01 00 06 01 32 02 14 00 0a"),
      section(10, "03 03 00 01 0b 02 00 0b 04 00 41 05 0b")}},
    {"other custom sections stay",
     {section(0, "'x' 01"), section(3, "03 00 01 00"),
      section(10, "03 02 00 0b 04 00 41 05 0b 03 00 01 0b"), section(0, "'producers' 00")},
     {section(0, "'x' 01"), section(3, "03 00 00 01"),
      section(10, "03 03 00 01 0b 02 00 0b 04 00 41 05 0b"), section(0, "'producers' 00")}},
};

Bytes whole(const std::vector<std::string> &sections) {
  std::vector<std::string> all = {types, import};
  append_range(all, sections);
  return moduleOf(all);
}

TEST(FunctionPermutation, everyIndexFollows) {
  for (const Case &test : cases) {
    SCOPED_TRACE(test.name);
    EXPECT_EQ(permute(whole(test.before), {3, 1}), hexOf(whole(test.after)));
  }
}

TEST(FunctionPermutation, noChangeReproducesTheModule) {
  for (const Case &test : cases) {
    SCOPED_TRACE(test.name);
    Bytes module = whole(test.before);
    EXPECT_EQ(permute(module, {}), hexOf(module));
    EXPECT_EQ(permute(module, {1, 2, 3}), hexOf(module));
  }
}

TEST(FunctionPermutation, theWayBackGivesTheOriginal) {
  for (const Case &test : cases) {
    SCOPED_TRACE(test.name);
    // Functions 1, 2 and 3 stand at 2, 3 and 1.
    EXPECT_EQ(permute(whole(test.after), {2, 3, 1}), hexOf(whole(test.before)));
  }
}

// Inserting code at exits would need a type for a block around the body.
TEST(FunctionPermutation, bringsNoTypes) {
  Bytes module = moduleOf({section(1, "01 60 01 7f 02 7f 7f"), section(3, "01 00"),
                           section(10, "01 06 00 20 00 20 00 0b")});
  EXPECT_EQ(permute(module, {}), hexOf(module));
}

TEST(FunctionPermutation, ordersThatAreNone) {
  Bytes module = whole({section(3, "01 00"), section(10, "01 02 00 0b")});
  EXPECT_EQ(permute(module, {2}), "m: an order with function 2, but the module has only 2");
  EXPECT_EQ(permute(module, {0}), "m: an order with function 0, which is imported and has no code");
  EXPECT_EQ(permute(module, {1, 1}), "m: an order with function 1 more than once");
}

TEST(FunctionPermutation, numbersOfBytesFollowLongerIndices) {
  // 200 functions; the last calls the first and the first the last.
  std::string text = "0061736d 01000000 01 04 01 60 00 00 03 ca01 c801";
  Bytes bytes = bytesOf(text);
  bytes.insert(bytes.end(), 200, 0);
  Bytes code = bytesOf("c801 05 00 10 c701 0b");
  for (int i = 0; i != 198; ++i)
    append_range(code, bytesOf("02 00 0b"));
  append_range(code, bytesOf("04 00 10 00 0b"));
  append_range(bytes, bytesOf("0a"));
  bytes.push_back(uint8_t(code.size() % 128 | 0x80));
  bytes.push_back(uint8_t(code.size() / 128));
  append_range(bytes, code);
  Expected<Module> original = readModule(bytes, "m");
  ASSERT_TRUE(bool(original)) << toString(original.takeError());

  std::string moved = permute(bytes, {199});
  Bytes movedBytes = bytesOf(moved);
  Expected<Module> module = readModule(movedBytes, "m");
  ASSERT_TRUE(bool(module)) << toString(module.takeError());
  // The last has become the first, and calls 1 in place of 0; that one calls 0 in place of 199.
  EXPECT_EQ(hexOf(module->bodies[0].bytes), "0010010b");
  EXPECT_EQ(hexOf(module->bodies[1].bytes), "0010000b");
  std::vector<uint32_t> back;
  for (uint32_t i = 1; i != 200; ++i)
    back.push_back(i);
  EXPECT_EQ(permute(movedBytes, back), hexOf(bytes));
}

} // namespace
