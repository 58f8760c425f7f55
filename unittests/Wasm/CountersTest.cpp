//===- CountersTest.cpp - What is a counter, and what is not --------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Wasm/Counters.h"
#include "TestModule.h"
#include "warpo/Wasm/ModuleEditor.h"
#include "warpo/Wasm/OwnGlobals.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace warpo;
using namespace warpo::test;
using namespace warpo::wasm;

namespace {

// Globals 0: imported mutable i64; 1: mutable i64; 2: constant i64; 3: mutable i32. Function 0 has
// the type () -> i64 and this body.
Bytes moduleWith(StringRef exports, StringRef body) {
  std::string size = hexOf(uint8_t(bytesOf(body).size()));
  return moduleOf({section(1, "01 60 00 01 7e"), section(2, "01 'm' 'g' 03 7e 01"),
                   section(3, "01 00"),
                   section(6, "03 7e 01 42 00 0b 7e 00 42 00 0b 7f 01 41 7b 0b"),
                   section(7, exports), section(10, "01" + size + body.str())});
}

TEST(Counters, AreFoundByTheirExports) {
  const std::string readsOne = "00 23 01 0b";
  const struct {
    const char *name;
    std::string exports;
    std::string body;
    std::optional<uint32_t> expected;
  } cases[] = {
      {"the global", "01 '__warpo_fuel' 03 01", readsOne, 1},
      {"a function that reads it", "01 '__warpo_get_fuel' 00 00", readsOne, 1},
      {"of another name", "01 '__warpo_get_fuel_limit' 00 00", readsOne, std::nullopt},
      {"a function of the global's name", "01 '__warpo_fuel' 00 00", readsOne, std::nullopt},
      {"an imported one", "01 '__warpo_fuel' 03 00", readsOne, std::nullopt},
      {"a constant one", "01 '__warpo_fuel' 03 02", readsOne, std::nullopt},
      {"an i32", "01 '__warpo_fuel' 03 03", readsOne, std::nullopt},
      {"none", "00", readsOne, std::nullopt},
      {"reads an imported one", "01 '__warpo_get_fuel' 00 00", "00 23 00 0b", std::nullopt},
      {"reads none there is", "01 '__warpo_get_fuel' 00 00", "00 23 09 0b", std::nullopt},
      {"does more", "01 '__warpo_get_fuel' 00 00", "00 23 01 01 0b", std::nullopt},
      {"does something else", "01 '__warpo_get_fuel' 00 00", "00 42 01 0b", std::nullopt},
      {"has variables", "01 '__warpo_get_fuel' 00 00", "01 01 7f 23 01 0b", std::nullopt},
      {"nothing at all", "01 '__warpo_get_fuel' 00 00", "00", std::nullopt},
  };
  for (const auto &test : cases) {
    SCOPED_TRACE(test.name);
    Bytes bytes = moduleWith(test.exports, test.body);
    auto module = readModule(bytes, "m");
    ASSERT_TRUE(bool(module)) << toString(module.takeError());
    EXPECT_EQ(findCounter(*module, Counter::fuel), test.expected);
    EXPECT_EQ(findCounter(*module, Counter::sampleDue), std::nullopt);
  }
}

TEST(Counters, OwnGlobals) {
  Bytes bytes = moduleWith("00", "00 0b");
  auto module = cantFail(readModule(bytes, "m"));
  EXPECT_EQ(importedGlobalCount(module), 1u);
  std::vector<OwnGlobal> globals = readOwnGlobals(module);
  ASSERT_EQ(globals.size(), 3u);
  EXPECT_TRUE(globals[0].type == ValueType::i64 && globals[0].isMutable && !globals[0].constant);
  EXPECT_TRUE(globals[1].type == ValueType::i64 && !globals[1].isMutable);
  EXPECT_TRUE(globals[2].type == ValueType::i32 && globals[2].isMutable);
  EXPECT_EQ(globals[2].constant, -5);
}

// Exported globals and functions, in a module that has neither exports nor code of its own.
TEST(Counters, ExportsOfAnEditor) {
  Bytes bytes = moduleOf({});
  auto module = cantFail(readModule(bytes, "m"));
  ModuleEditor editor(module);
  GlobalRef global = editor.addGlobal(ValueType::i64, true, 0);
  CodeSequence get;
  get.globalGet(global);
  const CounterInfo &fuel = counterInfo(Counter::fuel);
  cantFail(editor.addExportedFunction(fuel.getter, {}, ValueType::i64, get));
  EXPECT_EQ(toString(editor.addExportedFunction(fuel.getter, {}, ValueType::i64, get).takeError()),
            "m: has an export '__warpo_get_fuel' already");
  EXPECT_EQ(toString(editor.exportGlobal(fuel.getter, global)),
            "m: has an export '__warpo_get_fuel' already");
  SmallVector<uint8_t, 0> out;
  cantFail(editor.write([](uint32_t, FunctionEdit &) {}, out));
  auto written = cantFail(readModule(out, "m"));
  EXPECT_EQ(findCounter(written, Counter::fuel), 0u);
}

} // namespace
