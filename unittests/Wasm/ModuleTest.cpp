//===- ModuleTest.cpp - What the reader finds, and refuses ----------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Wasm/Module.h"
#include "TestModule.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace warpo;
using namespace warpo::wasm;
using namespace warpo::test;

namespace {

TEST(Module, ReadsEverySection) {
  Bytes bytes = moduleOf({
      section(0, "'first' 01 02"),
      section(1,
              "03 60 02 7f 64 00 01 7e  4e 02 50 00 5f 01 78 01 4f 01 01 60 00 00  50 00 60 00 00"),
      section(2, "03 'm' 'f' 00 00  'm' 'g' 03 7f 00  'm' 't' 01 70 00 01"),
      section(3, "02 02 03"),
      section(6, "01 7f 00 41 00 0b"),
      section(7, "02 'run' 00 01  'g' 03 00"),
      section(10, "02 02 00 0b 04 01 01 7f 0b"),
      section(0, "'name' 00 02 'M' 01 0a 02 00 'f' 02 'last'"),
  });
  Expected<Module> module = readModule(bytes, "m.wasm");
  ASSERT_TRUE(bool(module)) << toString(module.takeError());

  EXPECT_EQ(module->sections.size(), 8u);
  EXPECT_EQ(module->sections[0].name, "first");
  EXPECT_EQ(hexOf(module->sections[0].contents.bytes), "0102");
  ASSERT_EQ(module->types.size(), 4u);
  EXPECT_EQ(module->types[0]->params.count, 2u);
  EXPECT_EQ(hexOf(module->types[0]->params.bytes), "7f6400");
  EXPECT_EQ(hexOf(module->types[0]->results.bytes), "7e");
  EXPECT_TRUE(module->types[0]->isFinal);
  EXPECT_FALSE(module->types[1]);
  EXPECT_TRUE(module->types[2]->isFinal);
  EXPECT_TRUE(module->types[0]->isPlain);
  EXPECT_FALSE(module->types[2]->isPlain);
  EXPECT_FALSE(module->types[3]->isFinal);
  EXPECT_EQ(module->imports.size(), 3u);
  EXPECT_EQ(module->importedFunctionCount(), 1u);
  EXPECT_EQ(module->importOf(0).name, "f");
  EXPECT_EQ(module->functionCount(), 3u);
  EXPECT_EQ(module->functionTypes, (std::vector<uint32_t>{0, 2, 3}));
  EXPECT_EQ(module->globalCount, 2u);
  ASSERT_EQ(module->exports.size(), 2u);
  EXPECT_EQ(module->exports[0].name, "run");
  EXPECT_EQ(module->exports[0].index, 1u);
  ASSERT_EQ(module->bodies.size(), 2u);
  EXPECT_EQ(hexOf(module->bodies[1].bytes), "01017f0b");
  EXPECT_EQ(hexOf(bytesOf("01 01 7f 0b")),
            hexOf(ArrayRef<uint8_t>(bytes).slice(module->bodies[1].offset, 4)));
  EXPECT_EQ(module->names.module, "M");
  EXPECT_EQ(module->names.function(0), "f");
  EXPECT_EQ(module->names.function(1), "");
  EXPECT_EQ(module->names.function(2), "last");
  EXPECT_EQ(module->names.function(7), "");
}

struct BadCase {
  const char *name;
  std::vector<std::string> sections;
  const char *message;
};

const BadCase badCases[] = {
    {"unknown section", {section(15, "")}, "m:0x8: unknown section 15"},
    {"order", {section(3, "00"), section(1, "00")}, "m:0xb: section 1 is out of order or repeated"},
    {"repeated",
     {section(1, "00"), section(1, "00")},
     "m:0xb: section 1 is out of order or repeated"},
    {"section too long", {"01 05 00"}, "m:0xa: unexpected end: 5 bytes wanted, 1 left"},
    {"section size",
     {"01 ff ff ff ff 0f 00"},
     "m:0xe: unexpected end: 4294967295 bytes wanted, 1 left"},
    {"left over", {section(1, "00 00")}, "m:0xb: 1 byte left over at the end of the section"},
    {"count of types",
     {section(1, "ff ff ff ff 0f")},
     "m:0xf: count 4294967295, but 0 bytes are left"},
    {"count of parameters",
     {section(1, "01 60 ff ff ff ff 0f")},
     "m:0x11: count 4294967295, but 0 bytes are left"},
    {"count of imports",
     {section(2, "80 80 80 80 08")},
     "m:0xf: count 2147483648, but 0 bytes are left"},
    {"form of type", {section(1, "01 40 00 00")}, "m:0xb: unknown form of type 0x40"},
    {"value type", {section(1, "01 60 01 42 00")}, "m:0xd: unknown value type 0x42"},
    {"packed type of a value", {section(1, "01 60 01 78 00")}, "m:0xd: unknown value type 0x78"},
    {"type of a function",
     {section(1, "01 60 00 00"), section(3, "01 01")},
     "m:0x11: type 1 is not the type of a function"},
    {"type of an import",
     {section(1, "01 5f 00"), section(2, "01 'm' 'f' 00 00")},
     "m:0x15: type 0 is not the type of a function"},
    {"kind of import", {section(2, "01 'm' 'f' 07 00")}, "m:0xf: unknown kind of import 0x7"},
    {"limits", {section(2, "01 'm' 'f' 02 10 00")}, "m:0x10: unknown kind of limits 0x10"},
    {"name of an import",
     {section(2, "01 05 61")},
     "m:0xc: unexpected end: 5 bytes wanted, 1 left"},
    {"kind of export", {section(7, "01 'e' 05 00")}, "m:0xd: unknown kind of export 0x5"},
    {"exported function",
     {section(7, "01 'e' 00 03")},
     "m:0xe: export of function 3, but the module has only 0"},
    {"no code",
     {section(1, "01 60 00 00"), section(3, "01 00")},
     "m:0x12: 1 function declared, but no code section"},
    {"too much code", {section(10, "01 02 00 0b")}, "m:0xa: 1 function body, but 0 declared"},
    {"body too long",
     {section(1, "01 60 00 00"), section(3, "01 00"), section(10, "01 05 00 0b")},
     "m:0x16: unexpected end: 5 bytes wanted, 2 left"},
    {"custom section without a name",
     {section(0, "05 61")},
     "m:0xb: unexpected end: 5 bytes wanted, 1 left"},
};

// Engines do not look at names: what is wrong with them makes no module bad.
const BadCase damagedNames[] = {
    {"name of no function",
     {section(0, "'name' 01 04 01 07 'f'")},
     "m:0x12: name of function 7, but the module has only 0"},
    {"names of one kind twice",
     {section(0, "'name' 00 01 00 00 01 00")},
     "m:0x12: names of kind 0 are out of order or repeated"},
    {"names twice",
     {section(0, "'name'"), section(0, "'name'")},
     "m:0x16: section 'name' is repeated"},
    {"locals of no function",
     {section(0, "'name' 02 03 01 04 00")},
     "m:0x12: names in function 4, but the module has only 0"},
    {"a name that is cut off",
     {section(0, "'name' 00 02 05 61")},
     "m:0x12: unexpected end: 5 bytes wanted, 1 left"},
};

TEST(Module, DamagedNamesCountAsAbsent) {
  for (const BadCase &test : damagedNames) {
    SCOPED_TRACE(test.name);
    Bytes bytes = moduleOf(test.sections);
    Expected<Module> module = readModule(bytes, "m");
    ASSERT_TRUE(bool(module)) << toString(module.takeError());
    EXPECT_EQ(module->damagedNames, test.message);
    EXPECT_TRUE(module->names.functions.empty());
  }
}

TEST(Module, RefusesWithThePlace) {
  for (const BadCase &test : badCases) {
    SCOPED_TRACE(test.name);
    Bytes bytes = moduleOf(test.sections);
    Expected<Module> module = readModule(bytes, "m");
    ASSERT_FALSE(bool(module));
    EXPECT_EQ(toString(module.takeError()), test.message);
  }
}

TEST(Module, LimitsParameters) {
  auto read = [](uint32_t count) {
    Bytes bytes = bytesOf("0061736d01000000 01 ed 07 01 60" +
                          hexOf({uint8_t(count | 0x80), uint8_t(count >> 7)}));
    bytes.resize(bytes.size() + count, 0x7f);
    bytes.push_back(0);
    bytes[9] = uint8_t((count + 5) | 0x80);
    bytes[10] = uint8_t((count + 5) >> 7);
    Expected<Module> module = readModule(bytes, "m");
    return module ? "" : toString(module.takeError());
  };
  EXPECT_EQ(read(1000), "");
  EXPECT_EQ(read(1001), "m:0xd: 1001 parameters or results, more than 1000");
}

TEST(Module, RefusesOtherFiles) {
  const std::pair<const char *, const char *> cases[] = {
      {"", "m: the module is empty"},
      {"7f 45 4c 46 02 01 01 00", "m:0x0: not a WebAssembly module"},
      {"00 61 73 6d", "m:0x4: unexpected end: 4 bytes wanted, 0 left"},
      {"00 61 73 6d 02 00 00 00", "m:0x4: unknown version 2 of WebAssembly"},
      {"00 61 73 6d 0d 00 01 00", "m:0x4: a component, not a module: extract its modules first"},
  };
  for (const auto &[text, message] : cases) {
    Bytes bytes = bytesOf(text);
    Expected<Module> module = readModule(bytes, "m");
    ASSERT_FALSE(bool(module));
    EXPECT_EQ(toString(module.takeError()), message);
  }
}

} // namespace
