//===- OrderDump.cpp ------------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "OrderDump.h"
#include "warpo/Support/CallKind.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/EndianStream.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace warpo;

static constexpr StringLiteral magic = "WRPORDER";
static constexpr size_t headSize = 40;

ArrayRef<uint8_t> warpo::findOrderDump(ArrayRef<uint8_t> memory) {
  if (memory.size() < headSize || !toStringRef(memory).starts_with(magic))
    return memory;
  uint64_t capacity = support::endian::read32le(&memory[12]);
  uint64_t functions = support::endian::read32le(&memory[28]);
  uint64_t size = headSize + capacity * 4 + divideCeil(functions, 8);
  return memory.take_front(std::min<uint64_t>(memory.size(), size));
}

std::string warpo::makeOrderDump(uint64_t moduleId, ArrayRef<int32_t> ranks) {
  ranks = ranks.take_until([](int32_t rank) { return rank == 0; });
  if (ranks.empty())
    return "";
  std::vector<std::pair<int32_t, uint32_t>> ran;
  std::string bits(divideCeil(ranks.size(), 8), '\0');
  for (auto [number, rank] : enumerate(ranks)) {
    if (rank < 0)
      continue;
    ran.push_back({rank, uint32_t(number)});
    bits[number / 8] |= char(1 << number % 8);
  }
  llvm::sort(ran);
  std::string bytes;
  raw_string_ostream os(bytes);
  support::endian::Writer writer(os, endianness::little);
  auto count = uint32_t(ran.size());
  os << magic;
  writer.write<uint32_t>(1); // version
  writer.write(count);
  writer.write(moduleId);
  writer.write(uint32_t(firstFunctionId));
  writer.write(uint32_t(ranks.size()));
  writer.write(count);
  writer.write<uint32_t>(0);
  for (auto [rank, number] : ran)
    writer.write(uint32_t(firstFunctionId) + number);
  os << bits;
  return bytes;
}
