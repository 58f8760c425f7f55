//===- EngineNameTest.cpp - What engines call functions of WebAssembly ----===//
// SPDX-License-Identifier: Apache-2.0

#include "EngineName.h"
#include <gtest/gtest.h>

using namespace warpo;

TEST(EngineName, HasFunctionAndModule) {
  struct {
    const char *text, *function, *module;
  } table[] = {
      {"parse", "parse", ""},
      {"", "", ""},
      {"wasm-function[12]", "func[12]", ""},
      {"Function:wasm-function[12]-12-turbofan", "func[12]", ""},
      {"JS:*wasm-function[12]-12-liftoff", "func[12]", ""},
      {"func[12]#07c9e02a51f3b684", "func[12]", ""},
      {"Function:parse-12-turbofan", "parse", ""},
      {"Function:a-b-c-7-liftoff", "a-b-c", ""},
      {"wasm[0]::function[12]", "func[12]", "wasm[0]"},
      {"wasm[3]::function[12]::parse", "parse", "wasm[3]"},
      {"wasm[0]::function[12]::std::vec<int>", "std::vec<int>", "wasm[0]"},
      // What only looks like these.
      {"wasm-function[]", "wasm-function[]", ""},
      {"wasm-function[12", "wasm-function[12", ""},
      {"wasm-function[x]", "wasm-function[x]", ""},
      {"wasm-function[1]x", "wasm-function[1]x", ""},
      {"wasm[0]::parse", "wasm[0]::parse", ""},
      {"wasm[0]::function[12]::", "wasm[0]::function[12]::", ""},
      {"parse-12-unknown", "parse-12-unknown", ""},
      {"parse-x-turbofan", "parse-x-turbofan", ""},
      {"-12-turbofan", "-12-turbofan", ""},
      {"12-turbofan", "12-turbofan", ""},
  };
  for (const auto &[text, function, module] : table) {
    EngineName name(text);
    EXPECT_EQ(name.function(), function) << text;
    EXPECT_EQ(name.module().str(), module) << text;
  }
}
