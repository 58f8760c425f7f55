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

enum class Form : uint8_t { none, noImmediate, number32, number64, access };

// The form of the immediates, if they are one number or an access.
static constexpr Form formOf(const OpcodeInfo &info) {
  bool hasSeveral = info.immediates > 0xff;
  if (!info.name || info.role != plain || hasSeveral)
    return Form::none;
  switch (ImmediateKind(info.immediates)) {
  case none:
    return Form::noImmediate;
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
    return Form::number32;
  case signed64:
    return Form::number64;
  case memArg:
    return Form::access;
  default:
    return Form::none;
  }
}

// Bits of an alignment that is followed by an index or an order.
static constexpr uint8_t unusualAccess = 0x70;

static constexpr ShortForm shortForm(Form form) {
  // Bits that continue a number in the next byte.
  constexpr uint32_t second = 0x80 << 8, third = 0x80 << 16;
  switch (form) {
  case Form::none:
    return {};
  case Form::noImmediate:
    return {1, 0};
  case Form::number32:
  case Form::number64:
    return {2, second};
  case Form::access:
    return {3, second | unusualAccess << 8 | third};
  }
}

static constexpr LongForm longForm(Form form) {
  // The highest bits of the second byte and following ones. Numbers of these lengths are not too
  // large, whatever their last byte is.
  constexpr uint64_t four = 0x80'8080'8000, seven = 0x8080'8080'8080'8000;
  constexpr uint64_t continued = 0x8000;
  switch (form) {
  case Form::none:
  case Form::noImmediate:
    return {};
  case Form::number32:
    return {four, 0};
  case Form::number64:
    return {seven, 0};
  case Form::access:
    return {seven & ~continued, continued | unusualAccess << 8};
  }
}

template <typename T> static constexpr std::array<T, 256> allForms(T form(Form)) {
  std::array<T, 256> forms{};
  for (const Row &row : mainRows)
    forms[row.code] = form(formOf(row.info));
  return forms;
}

constinit const std::array<ShortForm, 256> warpo::wasm::shortForms = allForms(shortForm);
constinit const std::array<LongForm, 256> warpo::wasm::longForms = allForms(longForm);

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
