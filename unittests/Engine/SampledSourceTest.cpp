// SPDX-License-Identifier: Apache-2.0
// The functions in wasm2c's C are found, marked and listed.
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

TEST(SampledSource, EachFunctionIsMarked) {
  auto marked = markFunctions(source, 2);
  ASSERT_TRUE(bool(marked)) << llvm::toString(marked.takeError());
  EXPECT_EQ(*marked, R"(static inline int helper(int);

static bool s_module_initialized = false;

static u32 func_types[1];

static WARPO_NATIVE_FUNCTION u32 w2c_f(instance*, u32);
static WARPO_NATIVE_FUNCTION struct wasm_multi_ii w2c__start(instance*);

static u32 w2c_f(instance* instance, u32 w2c_p0) {
  other(instance);
}

const void *const warpo_native_functions[] = {
  (const void *)w2c_f,
  (const void *)w2c__start,
};
)");
}

TEST(SampledSource, AnotherForm) {
  auto messageOf = [](llvm::StringRef text, size_t count) {
    auto marked = markFunctions(text, count);
    return marked ? "none" : llvm::toString(marked.takeError());
  };
  EXPECT_EQ(messageOf(source, 3),
            "wasm2c's C declares 2 functions, not 3: functions on a stack cannot be distinguished; "
            "try --engine=node");
  EXPECT_EQ(
      messageOf("int f(void);\n", 1),
      "wasm2c's C has an unknown form, in which functions cannot be found; try --engine=node");
}

} // namespace
