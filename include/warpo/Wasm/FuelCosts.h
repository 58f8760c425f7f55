//===- FuelCosts.h - What each instruction costs --------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Fuel is the sum of the costs of executed instructions. By default an instruction costs 1, and
// those that only structure code (nop, block, loop, else, end) cost nothing.
//
// A table of other costs is text: on each line a mnemonic of the text format, spaces and the cost.
// `#` begins a comment.
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
  /// Every cost is less than this, so that the cost of a run fits into a signed 64-bit number.
  static constexpr uint32_t limit = 1u << 31;

  FuelCosts();

  /// The default costs, changed by a table. Errors have `fileName` and the line.
  static llvm::Expected<FuelCosts> parse(llvm::StringRef table, llvm::StringRef fileName);

  uint32_t operator[](const OpcodeInfo &opcode) const { return costs_[opcode.number]; }

  /// Identifies the costs in records: `1` for the default costs, otherwise 16 hexadecimal digits of
  /// a hash.
  std::string name() const;

  /// The costs that differ from the default, sorted by mnemonic.
  const std::vector<std::pair<std::string, uint32_t>> &changes() const { return changes_; }

private:
  std::array<uint32_t, opcodeCount> costs_ = {};
  std::vector<std::pair<std::string, uint32_t>> changes_;
};

/// The custom section of a module that counts fuel:
///
///   contents := version:u8 = 1  name  count  (mnemonic cost)*
///
/// with the name of the costs, and those that differ from the default. Numbers and lengths of texts
/// are LEB128.
inline constexpr llvm::StringLiteral fuelSection = "warpo.fuel";

llvm::SmallVector<uint8_t, 0> encodeFuelSection(const FuelCosts &costs);

/// The name of a module's costs; nothing if it does not count fuel.
llvm::Expected<std::optional<std::string>> readFuelCostsName(llvm::ArrayRef<uint8_t> module,
                                                             llvm::StringRef fileName);

} // namespace warpo::wasm

#endif
