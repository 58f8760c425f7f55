//===- SymbolRuns.h - LLVM's runs as runs of a module ---------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_TOOLING_SYMBOLRUNS_H
#define WARPO_LIB_TOOLING_SYMBOLRUNS_H

#include "warpo/Order/FunctionMatch.h"
#include "warpo/Order/LlvmRuns.h"
#include "warpo/Order/OrderRun.h"

namespace warpo {

/// Reads a mapping of LLVM's order file instrumentation; nothing for an empty path.
llvm::Expected<std::optional<OrderFileMapping>> readLlvmMapping(llvm::StringRef path);

/// Reads LLVM's files: a .proftext profile or, with a mapping, anything else as a dump of order
/// file instrumentation. Nothing for an input that is neither.
llvm::Expected<std::optional<std::vector<SymbolRun>>>
readSymbolRuns(llvm::StringRef path, const OrderFileMapping *mapping);

/// The inputs of readSymbolRuns(), for messages.
inline constexpr llvm::StringLiteral symbolRunFormats =
    "LLVM's .proftext and, with --llvm-mapping, its order file dumps";

/// Finds functions by their names in native tools: the module's names, mangled or not, or symbols
/// of wasm2c; for functions local to a file, after its name and a `;`.
class SymbolIndex {
public:
  /// `symbols` has the native symbol of each function with code.
  SymbolIndex(const OrderModule &module, llvm::ArrayRef<std::string> symbols);

  std::optional<uint32_t> find(llvm::StringRef symbol) const;

  /// Converts the run to functions of the module. Adds symbols that are not found to `unmatched`,
  /// and the number of symbols for functions that have occurred already to `repeated`.
  OrderRun match(const SymbolRun &run, llvm::StringRef name, UnmatchedNames &unmatched,
                 uint64_t &repeated) const;

private:
  const OrderModule &module_;
  llvm::StringMap<uint32_t> bySymbol_;
};

} // namespace warpo

#endif
