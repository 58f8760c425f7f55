//===- FuelCosts.cpp ------------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Wasm/FuelCosts.h"
#include "warpo/Support/ByteWriter.h"
#include "warpo/Support/DisplayName.h"
#include "warpo/Support/Errors.h"
#include "warpo/Wasm/CustomSectionReader.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/BLAKE3.h"
#include <map>

using namespace llvm;
using namespace warpo;
using namespace warpo::wasm;

static const uint8_t knownVersion = 1;
static const size_t mostOfName = 48;

/// Whether a record can contain this name of costs.
static bool isName(StringRef name) {
  auto isPart = [](char c) { return isAlnum(c) || c == '-' || c == '_'; };
  return !name.empty() && name.size() <= mostOfName && all_of(name, isPart);
}

FuelCosts::FuelCosts() {
  costs_.fill(1);
  for (StringRef name : {"nop", "block", "loop", "else", "end"})
    for (const OpcodeInfo *opcode : opcodesNamed(name))
      costs_[opcode->number] = 0;
}

Expected<FuelCosts> FuelCosts::parse(StringRef table, StringRef fileName) {
  FuelCosts costs;
  const FuelCosts usual;
  std::map<StringRef, size_t> lines;
  size_t number = 0;
  while (!table.empty()) {
    StringRef line;
    std::tie(line, table) = table.split('\n');
    ++number;
    auto failed = [&](const Twine &text) { return lineError(fileName, number, text); };
    line = line.split('#').first.trim();
    if (line.empty())
      continue;
    // Mnemonics may have spaces in them.
    size_t space = line.find_last_of(" \t");
    if (space == StringRef::npos)
      return failed("'" + line + "' has no cost");
    StringRef mnemonic = line.take_front(space).rtrim(), digits = line.drop_front(space + 1);
    auto opcodes = opcodesNamed(mnemonic);
    if (opcodes.empty())
      return failed("unknown instruction '" + displayName(mnemonic) + "'");
    uint32_t cost;
    if (digits.getAsInteger(10, cost) || cost >= limit)
      return failed("the cost of " + mnemonic + " is '" + digits +
                    "', not a whole number from 0 to " + Twine(limit - 1));
    auto [first, isNew] = lines.try_emplace(mnemonic, number);
    if (!isNew)
      return failed(mnemonic + " has a cost already, in line " + Twine(first->second));
    for (const OpcodeInfo *opcode : opcodes)
      costs.costs_[opcode->number] = cost;
    if (cost != usual[*opcodes.front()])
      costs.changes_.push_back({mnemonic.str(), cost});
  }
  llvm::sort(costs.changes_);
  return costs;
}

std::string FuelCosts::name() const {
  if (changes_.empty())
    return "1";
  BLAKE3 hasher;
  for (const auto &[mnemonic, cost] : changes_)
    hasher.update(mnemonic + " " + utostr(cost) + "\n");
  auto hash = hasher.final<8>();
  return toHex(hash, /*LowerCase=*/true);
}

SmallVector<uint8_t, 0> wasm::encodeFuelSection(const FuelCosts &costs) {
  SmallVector<uint8_t, 0> contents;
  ByteWriter writer(contents);
  writer.u8(knownVersion);
  writer.name(costs.name());
  writer.uleb(costs.changes().size());
  for (const auto &[mnemonic, cost] : costs.changes()) {
    writer.name(mnemonic);
    writer.uleb(cost);
  }
  return contents;
}

Expected<std::optional<std::string>> wasm::readFuelCostsName(ArrayRef<uint8_t> module,
                                                             StringRef fileName) {
  std::optional<std::string> name;
  auto read = [&](ByteCursor &cursor) {
    uint8_t version = cursor.u8();
    if (cursor.ok() && version != knownVersion)
      cursor.fail("version " + Twine(unsigned(version)) + " of section '" + fuelSection +
                  "', known is " + Twine(unsigned(knownVersion)));
    name = cursor.sizedString().str();
    if (cursor.ok() && !isName(*name))
      cursor.fail("section '" + fuelSection + "' calls the costs '" + displayName(*name) +
                  "', not a name of up to " + Twine(mostOfName) + " letters, digits, '-' and '_'");
  };
  if (Error error = readCustomSections(module, fileName, fuelSection, read))
    return error;
  return name;
}
