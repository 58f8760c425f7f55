//===- SourceSplitterTest.cpp ---------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "native/SourceSplitter.h"
#include "llvm/ADT/StringExtras.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace warpo;

namespace {

const std::string head = "#define A \\\n  1\nstatic inline int helper(int x) {\n  return x;\n}\n\n";

const std::string body = R"(static bool s_module_initialized = false;

static u32 func_types[2];

static void init_func_types(void) {
  func_types[0] = 1;
}

static u32 w2c_f(instance*, u32);
static void w2c_g(instance*, u32);

static const u8 data_segment_data_w2c_d0[] = {
  0x68, 0x65,
};

static const wasm_elem_segment_expr_t elem_segment_exprs_w2c_e0[] = {
  {2, (wasm_rt_function_ptr_t)&w2c_f, 0},
};

static void init_tables(instance* instance) {
}
static u32 w2c_f(instance* instance, u32 w2c_p0) {
  u32 w2c_l1 = 0;
  w2c_B1:;
  return w2c_l1 + 1;
}

static void w2c_g(instance* instance, 
    u32 w2c_p0) {
  {
    w2c_f(instance, 1);
  }
}

/* export: 'f{' */
u32 Z_f(instance* instance) {
  return w2c_f(instance, 1);
}

static void init_instance_import(instance* instance){
}
)";

TEST(SourceSplitter, EachFunctionIsInOnePart) {
  std::vector<std::string> parts = splitSource(head + body, (head + body).size() - 1);
  ASSERT_EQ(parts.size(), 2u);
  EXPECT_EQ(parts[0], head + R"(static bool s_module_initialized = false;

u32 func_types[2];

static void init_func_types(void) {
  func_types[0] = 1;
}

u32 w2c_f(instance*, u32);
void w2c_g(instance*, u32);

const u8 data_segment_data_w2c_d0[] = {
  0x68, 0x65,
};

const wasm_elem_segment_expr_t elem_segment_exprs_w2c_e0[] = {
  {2, (wasm_rt_function_ptr_t)&w2c_f, 0},
};

static void init_tables(instance* instance) {
}
u32 w2c_f(instance* instance, u32 w2c_p0) {
  u32 w2c_l1 = 0;
  w2c_B1:;
  return w2c_l1 + 1;
}


/* export: 'f{' */
u32 Z_f(instance* instance) {
  return w2c_f(instance, 1);
}

static void init_instance_import(instance* instance){
}
)");
  EXPECT_EQ(parts[1], head + R"(extern u32 func_types[2];
u32 w2c_f(instance*, u32);
void w2c_g(instance*, u32);
extern const u8 data_segment_data_w2c_d0[];
extern const wasm_elem_segment_expr_t elem_segment_exprs_w2c_e0[];
void w2c_g(instance* instance, 
    u32 w2c_p0) {
  {
    w2c_f(instance, 1);
  }
}
)");
}

TEST(SourceSplitter, ThereAreNoMorePartsThanMakeSense) {
  EXPECT_EQ(splitSource(head + body, (head + body).size()).size(), 1u);
  EXPECT_EQ(splitSource(head + body, 1).size(), 64u);
}

TEST(SourceSplitter, WhatIsNotKnownStaysWhole) {
  const std::string sources[] = {
      "",
      "int main(void) {\n}\n",
      head + body + "no newline",
      head + body + "unfinished {\n",
      head + body + "#define B\n",
      head + "static bool s_module_initialized = false;\nint x;\n",
  };
  for (const std::string &source : sources)
    EXPECT_EQ(join(splitSource(source, 10), "|"), source);
}

} // namespace
