// SPDX-License-Identifier: Apache-2.0
// Addresses of code become functions: within them, at their first and last instructions, and
// beyond. A stack is walked by rules.
#include "native/NativeStacks.h"
#include "warpo/Wasm/FunctionNames.h"
#include "llvm/ADT/StringExtras.h"

#include "gtest/gtest.h"

using namespace warpo;

namespace {

// (module (import "m" "memory" (memory 1)) (import "h" "ask" (func)) (func) (func) (func))
const uint8_t moduleBytes[] = {0, 'a', 's', 'm', 1,   0,   0,   0,   1,   4,   1,   0x60, 0,  0,
                               2, 21,  2,   1,   'm', 6,   'm', 'e', 'm', 'o', 'r', 'y',  2,  0,
                               1, 1,   'h', 3,   'a', 's', 'k', 0,   0,   3,   4,   3,    0,  0,
                               0, 10,  10,  3,   2,   0,   0xb, 2,   0,   0xb, 2,   0,    0xb};

class FakeProgram : public testing::Test {
protected:
  FakeProgram() {
    auto module = wasm::readModule(moduleBytes, "app.wasm");
    if (!module)
      ADD_FAILURE() << llvm::toString(module.takeError());
    else
      unit.module = std::move(*module);
    stacks.add(unit, tables, base, imports);
  }

  std::string resolve(const NativeStack &stack) {
    std::string text;
    for (const EngineSamples::Frame &frame : stacks.resolve(stack))
      text += (text.empty() ? "" : " ") + std::to_string(frame.function);
    return text;
  }

  /// The registers in the caller, the stack counted in words from its lower end; "none" where the
  /// stack ends.
  std::string callerOf(uintptr_t code, size_t depth, uintptr_t frame = 0, bool isReturn = false) {
    auto begin = reinterpret_cast<uintptr_t>(stack);
    Registers at = {code, begin + depth * 8, frame, isReturn};
    if (!stacks.goToCaller(at, {begin, begin + sizeof(stack)}))
      return "none";
    return llvm::utohexstr(at.code - base) + " " + std::to_string((at.stack - begin) / 8) + " " +
           std::to_string(at.frame);
  }

  static constexpr uintptr_t base = 0x10000;
  /// Of each function 16 bytes. The second and the third one are inlined into the first one, too.
  const CodeTables tables{{{16, UnwindRule::stackPointer, 8, 0},
                           {20, UnwindRule::stackPointer, 24, -16},
                           {32, UnwindRule::framePointer, 16, -16},
                           {48, UnwindRule::unknown, 0, 0},
                           {64, UnwindRule::unknown, 0, 0}},
                          {{16, 1}, {20, 3}, {24, 2}, {28, 1}, {32, 4}, {48, 5}, {64, 0}},
                          {{}, {0, 1}, {1, 2}, {2, 3}, {0, 2}, {0, 3}}};
  ProgramUnit unit;
  warpo_native_import imports[2] = {};
  uintptr_t stack[16] = {};
  NativeStacks stacks;
};

TEST_F(FakeProgram, FramesFollowEachOther) {
  uintptr_t returns[] = {base + 50, base + 40};
  EXPECT_EQ(resolve({base + 16, nullptr, returns}), "2 3 1");
  // A call that never returns may be a function's last instruction.
  uintptr_t last[] = {base + 48};
  EXPECT_EQ(resolve({base + 63, nullptr, last}), "2 3");
  EXPECT_EQ(resolve({}), "");
}

TEST_F(FakeProgram, InlinedFunctions) {
  EXPECT_EQ(resolve({base + 19, nullptr, {}}), "1");
  EXPECT_EQ(resolve({base + 20, nullptr, {}}), "1 2 3");
  EXPECT_EQ(resolve({base + 24, nullptr, {}}), "1 2");
  uintptr_t returns[] = {base + 24, base + 28};
  EXPECT_EQ(resolve({base + 48, nullptr, returns}), "1 2 1 2 3 3");
}

TEST_F(FakeProgram, CodeOfOthersIsLeftOut) {
  uintptr_t returns[] = {base + 65, base + 40, 0, UINTPTR_MAX, base + 16, base + 20};
  EXPECT_EQ(resolve({base + 64, nullptr, returns}), "1 2");
}

TEST_F(FakeProgram, AFunctionOfTheHost) {
  uintptr_t returns[] = {base + 40};
  EXPECT_EQ(resolve({0, &imports[1], returns}), "2 0");
  EXPECT_EQ(resolve({0, nullptr, returns}), "2");
  warpo_native_import foreign = {};
  EXPECT_EQ(resolve({0, &foreign, returns}), "2");
}

TEST_F(FakeProgram, CallersByTheirRules) {
  stack[3] = base + 0x28;
  EXPECT_EQ(callerOf(base + 16, 3, 7), "28 4 7") << "nothing is on the stack yet";
  stack[4] = 9;
  stack[5] = base + 0x29;
  EXPECT_EQ(callerOf(base + 21, 3, 7), "29 6 9") << "the frame pointer was saved";
  EXPECT_EQ(callerOf(base + 33, 1, reinterpret_cast<uintptr_t>(stack + 4)), "29 6 9");
}

TEST_F(FakeProgram, ACallAsTheLastInstruction) {
  stack[5] = base + 0x29;
  EXPECT_EQ(callerOf(base + 32, 3, 7, /*isReturn=*/true), "29 6 0") << "of the function before";
}

TEST_F(FakeProgram, TheStackEnds) {
  EXPECT_EQ(callerOf(base + 16, 16), "none");
  EXPECT_EQ(callerOf(base + 20, 14), "none");
  EXPECT_EQ(callerOf(base + 33, 4, 0), "none");
  EXPECT_EQ(callerOf(base + 33, 4, UINTPTR_MAX), "none");
  EXPECT_EQ(callerOf(base + 33, 4, reinterpret_cast<uintptr_t>(stack + 1)), "none")
      << "a frame that lies further in than its callee's";
  EXPECT_EQ(callerOf(base + 33, 4, reinterpret_cast<uintptr_t>(stack + 6) + 1), "none");
}

TEST_F(FakeProgram, FromCodeOfOthers) {
  stack[2] = 5;
  stack[3] = base + 0x15;
  EXPECT_EQ(callerOf(0x1234, 1, 7), "15 4 7");
  EXPECT_EQ(callerOf(base + 50, 1, 7), "15 4 7") << "without a rule";
  stack[3] = base + 16;
  EXPECT_EQ(callerOf(0x1234, 1), "none") << "what begins a function is no place to return to";
  stack[9] = base + 0x15;
  EXPECT_EQ(callerOf(0x1234, 1), "none") << "too far";
  stack[8] = 9;
  auto frame = reinterpret_cast<uintptr_t>(stack + 8);
  EXPECT_EQ(callerOf(0x1234, 0, frame), "15 10 9") << "by its frame";
  EXPECT_EQ(callerOf(0x1234, 0, frame + 1), "none");
  EXPECT_EQ(callerOf(0x1234, 9, frame + 64), "15 10 " + std::to_string(frame + 64));
  EXPECT_EQ(callerOf(0x1234, 2), "15 10 0");
  EXPECT_EQ(callerOf(0x1234, 2, 0, /*isReturn=*/true), "none")
      << "the host that called the program";
}

TEST(CodeTables, EncodingKeepsThem) {
  CodeTables tables({{16, UnwindRule::stackPointer, 8, -16}, {32, UnwindRule::unknown, 0, 0}},
                    {{16, 1}, {32, 0}}, {{}, {0, 7}});
  std::string bytes = tables.encode();
  auto decoded = CodeTables::decode(bytes, 8);
  ASSERT_TRUE(bool(decoded)) << llvm::toString(decoded.takeError());
  EXPECT_EQ(decoded->encode(), bytes);
  EXPECT_EQ(decoded->bounds(), (std::pair<uint64_t, uint64_t>(16, 32)));
  EXPECT_EQ(decoded->ruleAt(31).savedFramePointer, -16);
  EXPECT_EQ(decoded->ruleAt(15).base, UnwindRule::unknown);
  EXPECT_EQ(decoded->innermostAt(31), 1u);
  EXPECT_EQ(decoded->function(1).function, 7u);
}

TEST(CodeTables, Damaged) {
  auto accepts = [](llvm::StringRef bytes) {
    auto tables = CodeTables::decode(bytes, 8);
    if (!tables)
      llvm::consumeError(tables.takeError());
    return bool(tables);
  };
  const std::string whole = CodeTables({}, {{0, 1}}, {{}, {0, 7}}).encode();
  ASSERT_TRUE(accepts(whole));
  for (size_t size = 0; size < whole.size(); ++size)
    EXPECT_FALSE(accepts(llvm::StringRef(whole).take_front(size))) << size;
  EXPECT_FALSE(accepts(whole + "x"));
  EXPECT_FALSE(accepts("x" + whole.substr(1)));
  EXPECT_FALSE(accepts(CodeTables({}, {{0, 2}}, {{}, {0, 7}}).encode()));
  EXPECT_FALSE(accepts(CodeTables({}, {}, {}).encode()));
  EXPECT_FALSE(accepts(CodeTables({}, {}, {{}, {1, 7}}).encode())) << "a function in itself";
  EXPECT_FALSE(accepts(CodeTables({}, {}, {{}, {0, 8}}).encode())) << "of no function";
}

} // namespace
