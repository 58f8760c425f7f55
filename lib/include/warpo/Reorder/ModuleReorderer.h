//===- ModuleReorderer.h - From a module and an order to another module ---===//
// SPDX-License-Identifier: Apache-2.0
//
// The heart of warpo-reorder, without files.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_REORDER_MODULEREORDERER_H
#define WARPO_REORDER_MODULEREORDERER_H

#include "warpo/Reorder/CodeLayout.h"
#include "warpo/Wasm/ModuleEditor.h"
#include "warpo/Wasm/SourceMap.h"

namespace warpo {

struct ReorderOptions {
  wasm::CustomSectionPolicy customSections;
  /// Whether to write in the section `metadata.code.compilation_priority` which functions to
  /// compile first: those of the order, in the order. Takes the place of the module's own, unless
  /// the order is empty.
  bool hints = false;
  /// Further hints: the names of their sections and the contents, which take the places of the
  /// module's own.
  std::vector<std::pair<std::string, llvm::SmallVector<uint8_t, 0>>> codeHints;
  /// Whether to measure what the order achieves, for which both modules are compressed.
  bool measure = true;
  /// The functions whose place is measured. Default: those of the order.
  std::optional<llvm::ArrayRef<uint32_t>> startup;
  /// The module's source map, if it is to be rewritten, and the URL of the result. Must outlive the
  /// call.
  const wasm::SourceMap *sourceMap = nullptr;
  std::string newSourceMapUrl;
};

struct ReorderedModule {
  llvm::SmallVector<uint8_t, 0> bytes;
  /// For these bytes, as mappings; empty if it is not wanted.
  std::string sourceMappings;
  wasm::EditStatistics statistics;
  /// Empty if it is not wanted.
  CodeLayout before;
  CodeLayout after;
  /// How many functions have another index than before.
  uint64_t movedFunctions = 0;
};

/// Puts the functions of `order`, each with code and once, in front of the others. If they are in
/// that order already, and nothing else is wanted, the result has the module's bytes.
llvm::Expected<ReorderedModule> reorderModule(const wasm::Module &module,
                                              llvm::ArrayRef<uint32_t> order,
                                              const ReorderOptions &options);

} // namespace warpo

#endif
