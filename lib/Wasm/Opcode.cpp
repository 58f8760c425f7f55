//===- Opcode.cpp - The tables of instructions ----------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Wasm/Opcode.h"
#include "llvm/ADT/ArrayRef.h"
#include <array>
#include <cstddef>
#include <initializer_list>

using namespace warpo::wasm;

namespace {

struct Row {
  uint32_t code;
  OpcodeInfo info;
};

constexpr uint32_t pack(std::initializer_list<ImmediateKind> kinds) {
  uint32_t packed = 0;
  unsigned shift = 0;
  for (ImmediateKind kind : kinds) {
    packed |= uint32_t(kind) << shift;
    shift += 8;
  }
  return packed;
}

// Makes a table, indexed by the opcode, whose numbers begin with `first`.
template <size_t Size, size_t Rows>
constexpr std::array<OpcodeInfo, Size> spread(const Row (&rows)[Rows], uint16_t first) {
  std::array<OpcodeInfo, Size> table{};
  for (const Row &row : rows) {
    table[row.code] = row.info;
    table[row.code].number = uint16_t(first + row.code);
  }
  return table;
}

using enum ImmediateKind;
using enum OpcodeRole;

#define WASM_OPCODE(code, name, ...) {code, {name, pack({__VA_ARGS__}), plain}},
#define WASM_CONTROL(code, name, role, ...) {code, {name, pack({__VA_ARGS__}), role}},

constexpr Row mainRows[] = {
#include "warpo/Wasm/OpcodesMain.def"
};
constexpr Row gcRows[] = {
#include "warpo/Wasm/OpcodesGC.def"
};
constexpr Row miscRows[] = {
#include "warpo/Wasm/OpcodesMisc.def"
};
constexpr Row simdRows[] = {
#include "warpo/Wasm/OpcodesSimd.def"
};
constexpr Row atomicRows[] = {
#include "warpo/Wasm/OpcodesAtomic.def"
};

#undef WASM_OPCODE
#undef WASM_CONTROL

constexpr auto gcTable = spread<0x100>(gcRows, 0x100);
constexpr auto miscTable = spread<0x40>(miscRows, 0x200);
constexpr auto simdTable = spread<0x160>(simdRows, 0x240);
constexpr auto atomicTable = spread<0x80>(atomicRows, 0x3a0);
static_assert(opcodeCount == 0x3a0 + atomicTable.size());
constexpr OpcodeInfo unknown;

template <size_t Size>
const OpcodeInfo &find(const std::array<OpcodeInfo, Size> &table, uint32_t code) {
  return code < Size ? table[code] : unknown;
}

} // namespace

constinit const std::array<OpcodeInfo, 256> warpo::wasm::oneByteOpcodes = spread<256>(mainRows, 0);

static constexpr ShortForm shortForm(const OpcodeInfo &info) {
  // Bits that continue a number in the next byte, and those of an access with an index or an order.
  constexpr uint32_t second = 0x80 << 8, third = 0x80 << 16, unusual = 0x70 << 8;
  bool hasSeveral = info.immediates > 0xff;
  if (!info.name || info.role != plain || hasSeveral)
    return {};
  switch (ImmediateKind(info.immediates)) {
  case none:
    return {1, 0};
  case function:
  case type:
  case table:
  case memory:
  case global:
  case local:
  case tag:
  case data:
  case element:
  case field:
  case count:
  case signed32:
  case signed64:
    return {2, second};
  case memArg:
    return {3, second | unusual | third};
  default:
    return {};
  }
}

static constexpr std::array<ShortForm, 256> allShortForms() {
  std::array<ShortForm, 256> forms{};
  for (const Row &row : mainRows)
    forms[row.code] = shortForm(row.info);
  return forms;
}

constinit const std::array<ShortForm, 256> warpo::wasm::shortForms = allShortForms();

bool warpo::wasm::isOpcodePrefix(uint8_t byte) { return byte >= 0xfb && byte <= 0xfe; }

const OpcodeInfo &warpo::wasm::prefixedOpcode(uint8_t prefix, uint32_t code) {
  switch (prefix) {
  case 0xfb:
    return find(gcTable, code);
  case 0xfc:
    return find(miscTable, code);
  case 0xfd:
    return find(simdTable, code);
  case 0xfe:
    return find(atomicTable, code);
  }
  return unknown;
}

llvm::SmallVector<const OpcodeInfo *, 2> warpo::wasm::opcodesNamed(llvm::StringRef name) {
  llvm::SmallVector<const OpcodeInfo *, 2> found;
  for (llvm::ArrayRef<OpcodeInfo> table :
       {llvm::ArrayRef<OpcodeInfo>(oneByteOpcodes), llvm::ArrayRef<OpcodeInfo>(gcTable),
        llvm::ArrayRef<OpcodeInfo>(miscTable), llvm::ArrayRef<OpcodeInfo>(simdTable),
        llvm::ArrayRef<OpcodeInfo>(atomicTable)})
    for (const OpcodeInfo &info : table)
      if (info.name && name == info.name)
        found.push_back(&info);
  return found;
}
