//===- ReferencesTest.cpp - What may reach functions, and whose -----------===//
// SPDX-License-Identifier: Apache-2.0

#include "TestModule.h"
#include "warpo/Wasm/ReferencedFunctions.h"
#include <gtest/gtest.h>

using namespace llvm;
using namespace warpo;
using namespace warpo::test;

namespace {

bool exchanges(ArrayRef<std::string> sections) {
  Bytes bytes = moduleOf(sections);
  return cantFail(wasm::exchangesReferences(cantFail(wasm::readModule(bytes, "test"))));
}

// (0) i32 -> i32, (1) funcref -> (), (2) () -> funcref, (3) externref -> externref, (4) (ref null
// 0) -> (), (5) (ref extern) -> ()
const std::string types =
    section(1, "06 60017f017f 60017000 60000170 60016f016f 6001630000 6001646f00");

// What one function is: imported or exported.
bool imports(unsigned type) {
  return exchanges({types, section(2, "01 'm' 'n' 00 " + toHex(char(type)))});
}
bool exports(unsigned type) {
  return exchanges({types, section(3, "01 " + toHex(char(type))), section(7, "01 'n' 00 00"),
                    section(10, "01 03 00 00 0b")});
}

TEST(References, GoByTheTypesOfFunctions) {
  const std::vector<bool> expected = {false, true, true, false, true, false};
  for (unsigned type = 0; type < expected.size(); ++type) {
    EXPECT_EQ(imports(type), expected[type]) << type;
    EXPECT_EQ(exports(type), expected[type]) << type;
  }
  // One that nobody outside knows.
  EXPECT_FALSE(exchanges({types, section(3, "01 01"), section(10, "01 03 00 00 0b")}));
}

TEST(References, GoByTablesGlobalsAndTags) {
  const std::string exported = section(7, "01 'n' 01 00"), global = section(7, "01 'n' 03 00"),
                    tag = section(7, "01 'n' 04 00");
  for (auto [type, leads] : {std::pair("70", true), {"6f", false}}) {
    std::string table = section(4, std::string("01 ") + type + " 00 01");
    EXPECT_FALSE(exchanges({table})) << type;
    EXPECT_EQ(exchanges({table, exported}), leads) << type;
    // With an initial value, and 64 bits.
    EXPECT_EQ(exchanges({section(4, std::string("01 40 00 ") + type + " 04 01 d0 " + type + " 0b"),
                         exported}),
              leads)
        << type;
    EXPECT_EQ(exchanges({section(2, std::string("01 'm' 'n' 01 ") + type + " 00 01")}), leads);
    EXPECT_EQ(exchanges({section(2, std::string("01 'm' 'n' 03 ") + type + " 01")}), leads);
    EXPECT_EQ(exchanges({section(6, std::string("01 ") + type + " 01 d0 " + type + " 0b"), global}),
              leads);
  }
  EXPECT_FALSE(exchanges({section(6, "01 7f 01 4100 0b"), global}));
  for (auto [type, leads] : {std::pair("01", true), {"03", false}}) {
    EXPECT_EQ(exchanges({types, section(2, std::string("01 'm' 'n' 04 00 ") + type)}), leads);
    EXPECT_EQ(exchanges({types, section(13, std::string("01 00 ") + type), tag}), leads);
  }
}

// Functions 0 (imported) to 3: 1 calls 0 and 2, 2 makes a tail call of 3.
TEST(References, FindWhatFunctionsCall) {
  Bytes bytes =
      moduleOf({section(1, "01 600000"), section(2, "01 'm' 'n' 00 00"), section(3, "03 00 00 00"),
                section(10, "03 06 00 1000 1002 0b 04 00 1203 0b 02 00 0b")});
  const wasm::Module module = cantFail(wasm::readModule(bytes, "test"));
  auto called = [&](std::initializer_list<unsigned> callers) {
    BitVector set(4);
    for (unsigned caller : callers)
      set.set(caller);
    BitVector found = cantFail(wasm::calledFunctions(module, set));
    return std::vector<unsigned>(found.set_bits_begin(), found.set_bits_end());
  };
  EXPECT_EQ(called({1}), (std::vector<unsigned>{0, 2}));
  EXPECT_EQ(called({0, 2, 3}), (std::vector<unsigned>{3}));
  EXPECT_EQ(called({}), (std::vector<unsigned>{}));
}

} // namespace
