//===- FuelCosts.h - What each instruction costs --------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Fuel is a sum of costs of instructions that have been executed. Without a table an instruction
// costs 1, and those that only hold code together (nop, block, loop, else, end) cost nothing.
//
// A table is text: a mnemonic of the text format, spaces and its cost a line; `#` begins a comment.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_WASM_FUELCOSTS_H
#define WARPO_WASM_FUELCOSTS_H

#include "warpo/Wasm/Opcode.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace warpo::wasm {

class FuelCosts {
public:
  /// More than any instruction may cost; so no run costs more than a signed number of 64 bits
  /// holds.
  static constexpr uint32_t limit = 1u << 31;

  FuelCosts();

  /// The usual costs but for those that a table gives. Errors name `fileName` and the line.
  static llvm::Expected<FuelCosts> parse(llvm::StringRef table, llvm::StringRef fileName);

  uint32_t operator[](const OpcodeInfo &opcode) const { return costs_[opcode.number]; }

  /// What the table is known by in records: `1`, or 16 hexadecimal digits of a hash for one that
  /// changes anything.
  std::string name() const;

  /// Mnemonics whose cost is not the usual one, in the order of their names.
  const std::vector<std::pair<std::string, uint32_t>> &changes() const { return changes_; }

private:
  std::array<uint32_t, opcodeCount> costs_ = {};
  std::vector<std::pair<std::string, uint32_t>> changes_;
};

/// The custom section of a module that counts fuel:
///
///   contents := version:u8 = 1  name  count  (mnemonic cost)*
///
/// with the name of its costs, and those that are not the usual ones. Texts and numbers are LEB128.
inline constexpr llvm::StringLiteral fuelSection = "warpo.fuel";

llvm::SmallVector<uint8_t, 0> encodeFuelSection(const FuelCosts &costs);

/// The name of the costs that a module counts by; nothing if it counts no fuel.
llvm::Expected<std::optional<std::string>> readFuelCostsName(llvm::ArrayRef<uint8_t> module,
                                                             llvm::StringRef fileName);

} // namespace warpo::wasm

#endif
