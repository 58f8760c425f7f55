//===- OpcodeTest.cpp - The tables of opcodes against wabt's --------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Wasm/Opcode.h"
#include "warpo/Wasm/OpcodeNames.h"
#include "llvm/ADT/StringRef.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace warpo::wasm;

namespace {

const OpcodeInfo &lookUp(unsigned prefix, unsigned code) {
  return prefix ? prefixedOpcode(uint8_t(prefix), code) : oneByteOpcodes[code];
}

unsigned countKnown(unsigned prefix) {
  unsigned count = 0;
  for (unsigned code = 0; code != (prefix ? 1000 : 256); ++code)
    count += lookUp(prefix, code).name != nullptr;
  return count;
}

TEST(Opcode, TablesAreComplete) {
  EXPECT_EQ(countKnown(0), 206u);
  EXPECT_EQ(countKnown(0xfb), 54u);
  EXPECT_EQ(countKnown(0xfc), 24u);
  EXPECT_EQ(countKnown(0xfd), 289u);
  EXPECT_EQ(countKnown(0xfe), 93u);
  EXPECT_EQ(countKnown(0xff), 0u);
}

struct PeerOpcode {
  unsigned memorySize;
  unsigned prefix;
  unsigned code;
  const char *name;
};

// wabt keeps a table of its own: name, code, and whether an instruction accesses memory.
const PeerOpcode peerOpcodes[] = {
#define WABT_OPCODE(rtype, type1, type2, type3, memSize, prefix, code, Name, text, decomp)         \
  {memSize, prefix, code, text},
#include <wabt/opcode.def>
#undef WABT_OPCODE
};

TEST(Opcode, AgreesWithWabt) {
  unsigned compared = 0;
  for (const PeerOpcode &peer : peerOpcodes) {
    // Codes that wabt's interpreter keeps for itself, and two names that have changed since.
    if ((peer.prefix == 0 && peer.code >= 0xe0) || (peer.prefix == 0xfd && peer.code >= 0x112))
      continue;
    const OpcodeInfo &info = lookUp(peer.prefix, peer.code);
    ASSERT_NE(info.name, nullptr) << peer.name;
    EXPECT_EQ(StringRef(info.name), peer.name);
    bool hasMemArg = (info.immediates & 0xff) == unsigned(ImmediateKind::memArg);
    EXPECT_TRUE(hasMemArg || !peer.memorySize) << peer.name;
    ++compared;
  }
  EXPECT_GT(compared, 500u);
}

TEST(Opcode, Prefixes) {
  for (unsigned byte = 0; byte != 256; ++byte)
    EXPECT_EQ(isOpcodePrefix(uint8_t(byte)), byte >= 0xfb && byte <= 0xfe) << byte;
}

TEST(Opcode, NamesAreThoseOfTheTables) {
  const std::pair<uint8_t, StringRef> oneByte[] = {
      {"unreachable"_op, "unreachable"}, {"end"_op, "end"},           {"call"_op, "call"},
      {"i64.store"_op, "i64.store"},     {"i32.lt_u"_op, "i32.lt_u"}, {"switch"_op, "switch"},
  };
  for (const auto &[code, name] : oneByte)
    EXPECT_EQ(oneByteOpcodes[code].name, name);
  std::array<uint8_t, 2> atomic = "i32.atomic.rmw8.or_u"_atomic_op;
  EXPECT_EQ(prefixedOpcode(atomic[0], atomic[1]).name, StringRef("i32.atomic.rmw8.or_u"));
}

} // namespace
