//===- SymbolRuns.h - LLVM's runs, as runs of a module --------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_TOOLING_SYMBOLRUNS_H
#define WARPO_LIB_TOOLING_SYMBOLRUNS_H

#include "warpo/Order/FunctionMatch.h"
#include "warpo/Order/LlvmRuns.h"
#include "warpo/Order/OrderRun.h"

namespace warpo {

/// The mapping of LLVM's order file instrumentation; nothing for an empty name.
llvm::Expected<std::optional<OrderFileMapping>> readLlvmMapping(llvm::StringRef path);

/// What an input of LLVM's recorded: a .proftext profile or, with the mapping of its order file
/// instrumentation, anything else as a dump of that. Nothing of an input that is neither.
llvm::Expected<std::optional<std::vector<SymbolRun>>>
readSymbolRuns(llvm::StringRef path, const OrderFileMapping *mapping);

/// What readSymbolRuns() takes, for messages that name what is known.
inline constexpr llvm::StringLiteral symbolRunFormats =
    "LLVM's .proftext and, with --llvm-mapping, its order file dumps";

/// Finds functions by what native tools call them: the module's names, mangled or not, or the
/// symbols that wasm2c gives; for functions that are local to a file, behind its name and a `;`.
class SymbolIndex {
public:
  /// `symbols`: of each function with code its native symbol.
  SymbolIndex(const OrderModule &module, llvm::ArrayRef<std::string> symbols);

  std::optional<uint32_t> find(llvm::StringRef symbol) const;

  /// The run in functions of the module. What is not found goes to `unmatched`; `repeated` counts
  /// what a symbol before it stands for already.
  OrderRun match(const SymbolRun &run, llvm::StringRef name, UnmatchedNames &unmatched,
                 uint64_t &repeated) const;

private:
  const OrderModule &module_;
  llvm::StringMap<uint32_t> bySymbol_;
};

} // namespace warpo

#endif
