// SPDX-License-Identifier: Apache-2.0
// The functions in wasm2c's C are found.
#include "native/SampledSource.h"

#include "gtest/gtest.h"

using namespace warpo;

namespace {

const std::string source = R"(static inline int helper(int);

static bool s_module_initialized = false;

static u32 func_types[1];

static u32 w2c_f(instance*, u32);
static struct wasm_multi_ii w2c__start(instance*);

static u32 w2c_f(instance* instance, u32 w2c_p0) {
  other(instance);
}
)";

TEST(SampledSource, EachFunction) {
  auto functions = functionsOf(source, 2);
  ASSERT_TRUE(bool(functions)) << llvm::toString(functions.takeError());
  EXPECT_EQ(*functions, (std::vector<llvm::StringRef>{"w2c_f", "w2c__start"}));
}

TEST(SampledSource, AnotherForm) {
  auto messageOf = [](llvm::StringRef text, size_t count) {
    auto functions = functionsOf(text, count);
    return functions ? "none" : llvm::toString(functions.takeError());
  };
  EXPECT_EQ(messageOf(source, 3),
            "wasm2c's C declares 2 functions, not 3: functions on a stack cannot be distinguished; "
            "try --engine=node");
  EXPECT_EQ(
      messageOf("int f(void);\n", 1),
      "wasm2c's C has an unknown form, in which functions cannot be found; try --engine=node");
}

} // namespace
