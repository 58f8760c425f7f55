//===- HostileModuleTest.cpp - Damaged modules end in errors --------------===//
// SPDX-License-Identifier: Apache-2.0

#include "TestModule.h"
#include "warpo/Wasm/ModuleEditor.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace warpo;
using namespace warpo::wasm;
using namespace warpo::test;

namespace {

// A module with something of every kind.
Bytes sample() {
  return moduleOf({
      section(1, "03 60 00 00  60 02 7f 7e 02 7e 7f  4e 02 50 00 5f 01 78 01 5e 7f 00"),
      section(2, "04 'm' 'f' 00 00  'm' 't' 01 70 01 00 05  'm' 'y' 02 03 01 02  'm' 'g' 03 7f 00"),
      section(3, "02 00 01"),
      section(4, "02 6f 00 01  40 00 70 00 01 d2 01 0b"),
      section(13, "01 00 00"),
      section(6, "01 70 01 d2 02 0b"),
      section(7, "02 'run' 00 01 'f' 00 00"),
      section(8, "00"),
      section(9, "03 00 41 00 0b 02 00 01  06 01 41 00 0b 70 01 d2 00 0b  03 00 01 02"),
      section(12, "02"),
      section(0, "'metadata.code.branch_hint' 01 01 01 03 01 00"),
      section(10, "02 18 01 02 7f 02 40 41 00 0e 02 00 01 00 0b 10 00 d2 00 1a 28 02 04 1a 0f 0b"
                  " 0c 00 20 01 20 00 1f 40 00 0b 0c 00 0b"),
      section(11, "02 00 41 00 0b 'data' 01 'more'"),
      section(
          0, "'name' 00 02 'M' 01 07 02 00 'f' 02 'g' 02 06 01 01 01 00 'x' 03 06 01 01 01 00 'l'"),
  });
}

// Reads and rewrites; true where both succeed.
bool take(ArrayRef<uint8_t> bytes) {
  Expected<Module> module = readModule(bytes, "m");
  if (!module) {
    StringRef place = bytes.empty() ? "m: " : "m:0x";
    EXPECT_TRUE(StringRef(toString(module.takeError())).starts_with(place));
    return false;
  }
  ModuleEditor editor(*module);
  FunctionRef probe = editor.importFunction("b", "p", ValueType::i32, {});
  for (uint32_t i = 0; i != module->importedFunctionCount(); ++i)
    editor.addThunk(i, true);
  SmallVector<uint8_t, 0> out;
  auto statistics = editor.write(
      [&](uint32_t, FunctionEdit &edit) {
        edit.entry.i32Const(1).call(probe);
        edit.exit.i32Const(-1).call(probe);
      },
      out);
  if (!statistics) {
    EXPECT_TRUE(StringRef(toString(statistics.takeError())).starts_with("m:0x"));
    return false;
  }
  return true;
}

TEST(HostileModule, TheSampleIsWhole) {
  Bytes bytes = sample();
  Expected<Module> module = readModule(bytes, "m");
  ASSERT_TRUE(bool(module)) << toString(module.takeError());
  EXPECT_TRUE(take(bytes));
}

TEST(HostileModule, CutAnywhere) {
  Bytes bytes = sample();
  Expected<Module> module = readModule(bytes, "m");
  ASSERT_TRUE(bool(module)) << toString(module.takeError());
  // A cut between two sections leaves a module, where nothing before it needs what comes after.
  std::vector<size_t> borders = {8};
  for (const Section &section : module->sections)
    borders.push_back(section.whole.offset + section.whole.bytes.size());
  for (size_t size = 0; size != bytes.size(); ++size) {
    SCOPED_TRACE(size);
    // A copy of exactly this size, so that a sanitizer sees a read behind its end.
    Bytes cut(bytes.begin(), bytes.begin() + size);
    bool taken = take(cut);
    EXPECT_FALSE(taken && !llvm::is_contained(borders, size));
  }
}

TEST(HostileModule, EveryByteChanged) {
  Bytes bytes = sample();
  for (size_t at = 0; at != bytes.size(); ++at)
    for (unsigned value :
         {0x00u, 0x01u, 0x40u, 0x7fu, 0x80u, 0xffu, bytes[at] ^ 0x01u, bytes[at] + 1u}) {
      Bytes changed = bytes;
      changed[at] = uint8_t(value);
      take(changed); // whatever comes of it: no crash, and every error has its place
    }
}

// Counts and lengths far beyond the file cost neither time nor memory.
TEST(HostileModule, HugeNumbersAnywhere) {
  Bytes bytes = sample();
  Bytes huge = bytesOf("ff ff ff ff 0f");
  for (size_t at = 8; at != bytes.size(); ++at) {
    Bytes changed(bytes.begin(), bytes.begin() + at);
    changed.insert(changed.end(), huge.begin(), huge.end());
    changed.insert(changed.end(), bytes.begin() + at + 1, bytes.end());
    take(changed);
  }
}

} // namespace
