// SPDX-License-Identifier: Apache-2.0
// Addresses of code become functions: within them, at their first and last instructions, and
// beyond.
#include "native/NativeStacks.h"
#include "warpo/Wasm/FunctionNames.h"

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
    // Of each function 16 bytes; not in the module's order.
    for (size_t function : {1, 0, 2})
      functions.push_back(code + 16 * function);
    for (uint32_t function : {1, 2, 3})
      write(in(function, 0), {0x55, 0x48, 0x89, 0xe5});
    native.functions = functions.data();
    native.functions_begin = reinterpret_cast<const char *>(code);
    native.functions_end = reinterpret_cast<const char *>(code) + 48;
    stacks.add(unit, native, imports);
  }

  /// The n-th byte of a function's code, by its index.
  uintptr_t in(uint32_t function, size_t byte = 8) const {
    return reinterpret_cast<uintptr_t>(functions[function - 1]) + byte;
  }
  static void write(uintptr_t address, std::initializer_list<uint8_t> instruction) {
    std::copy(instruction.begin(), instruction.end(), reinterpret_cast<uint8_t *>(address));
  }
  std::string resolve(const NativeStack &stack) {
    std::string text;
    for (const EngineSamples::Frame &frame : stacks.resolve(stack))
      text += (text.empty() ? "" : " ") + std::to_string(frame.function);
    return text;
  }

  uint8_t code[64] = {};
  std::vector<const void *> functions;
  ProgramUnit unit;
  warpo_native_module native = {};
  warpo_native_import imports[2] = {};
  NativeStacks stacks;
};

TEST_F(FakeProgram, FramesFollowEachOther) {
  uintptr_t returns[] = {in(2), in(3), in(1)};
  EXPECT_EQ(resolve({in(1), nullptr, {}, returns}), "1 3 2 1");
  // A call that never returns may be a function's last instruction.
  uintptr_t last[] = {in(2, 16)};
  EXPECT_EQ(resolve({in(3), nullptr, {}, last}), "2 3");
  EXPECT_EQ(resolve({}), "");
}

TEST_F(FakeProgram, CodeOfOthersIsLeftOut) {
  uintptr_t outside = reinterpret_cast<uintptr_t>(code) + 48;
  uintptr_t returns[] = {outside + 1, in(2), 0, UINTPTR_MAX, in(1, 0), in(1)};
  EXPECT_EQ(resolve({in(3), nullptr, {}, returns}), "1 2 2 3")
      << "what begins a function is no place to return to, but of the one before";
}

TEST_F(FakeProgram, AFunctionWithoutItsFrame) {
  uintptr_t returns[] = {in(1)}, top[] = {in(2), in(3), 0};
  write(in(1, 15), {0xc3});
  auto at = [&](size_t byte) { return resolve({in(1, byte), nullptr, top, returns}); };
  EXPECT_EQ(at(0), "1 2 1") << "before the frame";
  EXPECT_EQ(at(1), "1 3 1") << "the old frame is on the stack";
  EXPECT_EQ(at(4), "1 1");
  EXPECT_EQ(at(15), "1 2 1") << "it returns";
  EXPECT_EQ(resolve({in(1, 15), nullptr, {}, returns}), "1 1");

  write(in(1, 0), {0xf3, 0x0f, 0x1e, 0xfa, 0x55, 0x48, 0x89, 0xe5});
  EXPECT_EQ(at(0), "1 2 1");
  EXPECT_EQ(at(4), "1 2 1");
  EXPECT_EQ(at(5), "1 3 1");
  EXPECT_EQ(at(8), "1 1");

  write(in(1, 4), {0x90});
  EXPECT_EQ(at(8), "1 2 1") << "it has none";
}

TEST_F(FakeProgram, AFunctionOfTheCLibrary) {
  uintptr_t returns[] = {in(1)}, top[] = {5, in(2), in(3)};
  EXPECT_EQ(resolve({0x1234, nullptr, top, returns}), "1 2");
}

TEST_F(FakeProgram, AFunctionOfTheHost) {
  uintptr_t returns[] = {in(2)};
  EXPECT_EQ(resolve({0, &imports[1], {}, returns}), "2 0");
  EXPECT_EQ(resolve({0, nullptr, {}, returns}), "2");
  warpo_native_import foreign = {};
  EXPECT_EQ(resolve({0, &foreign, {}, returns}), "2");
}

} // namespace
