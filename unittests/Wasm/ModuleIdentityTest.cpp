//===- ModuleIdentityTest.cpp ---------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Wasm/ModuleIdentity.h"
#include "TestModule.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace warpo::wasm;
using namespace warpo::test;

namespace {

TEST(ModuleIdentity, GoesThroughTheSection) {
  ModuleIdentity identity = ModuleIdentity::ofOriginal(bytesOf("00 61 73 6d 01 00 00 00"));
  identity.moduleId = 0x8877665544332211;
  identity.originalBuildId = {1, 2, 3};

  std::string contents = "'warpo.module' " + hexOf(encodeModuleIdentity(identity));
  Bytes bytes = moduleOf({section(0, "'other'"), section(1, "00"), section(0, contents)});
  auto read = readModuleIdentity(bytes, "m");
  ASSERT_TRUE(bool(read)) << toString(read.takeError());
  ASSERT_TRUE(read->has_value());
  EXPECT_EQ((*read)->moduleId, 0x8877665544332211u);
  EXPECT_EQ((*read)->originalHash, identity.originalHash);
  EXPECT_EQ(hexOf((*read)->originalBuildId), "010203");
}

TEST(ModuleIdentity, IsTheBeginningOfTheHash) {
  // BLAKE3 of nothing, from its specification.
  EXPECT_EQ(hexOf(ModuleIdentity::ofOriginal({}).originalHash).substr(0, 32),
            "af1349b9f5f9a1a6a0404dea36dcc949");
  EXPECT_EQ(ModuleIdentity::ofOriginal({}).moduleId, 0xa6a1f9f5b94913afu);
}

TEST(ModuleIdentity, IsAbsentFromOtherModules) {
  auto read = readModuleIdentity(moduleOf({section(1, "00"), section(0, "'name'")}), "m");
  ASSERT_TRUE(bool(read)) << toString(read.takeError());
  EXPECT_FALSE(read->has_value());
}

// The new identifier depends on the rest of the module and not on the old one.
TEST(ModuleIdentity, RenewsTheBuildId) {
  auto renew = [](const std::string &code, const std::string &id) {
    Bytes bytes = moduleOf({section(0, "'build_id'" + id), section(0, "'x'" + code)});
    EXPECT_FALSE(bool(renewBuildId(bytes, "m")));
    return hexOf(bytes);
  };
  std::string renewed = renew("01", "04 01020304");
  EXPECT_EQ(renewed, renew("01", "04 ffffffff"));
  EXPECT_NE(renewed, renew("02", "04 01020304"));
  Bytes blank = moduleOf({section(0, "'build_id' 04 00000000"), section(0, "'x' 01")});
  std::string hash = hexOf(ModuleIdentity::ofOriginal(blank).originalHash);
  EXPECT_EQ(renewed, hexOf(moduleOf(
                         {section(0, "'build_id' 04" + hash.substr(0, 8)), section(0, "'x' 01")})));

  // One of 33 bytes, one that is empty, and none.
  std::string zeros(2 * 33, '0');
  blank = moduleOf({section(0, "'build_id' 21" + zeros)});
  hash = hexOf(ModuleIdentity::ofOriginal(blank).originalHash);
  EXPECT_FALSE(bool(renewBuildId(blank, "m")));
  EXPECT_EQ(hexOf(blank),
            hexOf(moduleOf({section(0, "'build_id' 21" + hash + hash.substr(0, 2))})));
  for (const char *text : {"'build_id' 00", "'other'"}) {
    Bytes bytes = moduleOf({section(0, text)});
    EXPECT_FALSE(bool(renewBuildId(bytes, "m")));
    EXPECT_EQ(hexOf(bytes), hexOf(moduleOf({section(0, text)})));
  }
}

TEST(ModuleIdentity, RefusesDamage) {
  const std::pair<std::string, const char *> cases[] = {
      {section(0, "'warpo.module' 02"), "m:0x18: version 2 of section 'warpo.module', known is 1"},
      {section(0, "'warpo.module' 01 00"), "m:0x18: unexpected end: 8 bytes wanted, 1 left"},
      {"00 70", "m:0xa: unexpected end: 112 bytes wanted, 0 left"},
  };
  for (const auto &[text, message] : cases) {
    auto read = readModuleIdentity(moduleOf({text}), "m");
    ASSERT_FALSE(bool(read));
    EXPECT_EQ(toString(read.takeError()), message);
  }
}

} // namespace
