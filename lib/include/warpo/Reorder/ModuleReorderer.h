//===- ModuleReorderer.h - Puts a module's functions in order -------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The core of warpo-reorder, without files.
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
  /// Whether to add a section `metadata.code.compilation_priority` that makes engines compile the
  /// functions of the order first. Replaces the module's section unless the order is empty.
  bool hints = false;
  /// Names and contents of sections with further hints. They replace the module's sections.
  std::vector<std::pair<std::string, llvm::SmallVector<uint8_t, 0>>> codeHints;
  /// Whether to measure the effect of the order, which includes compressing both modules.
  bool measure = true;
  /// The functions whose positions are measured. Default: those of the order.
  std::optional<llvm::ArrayRef<uint32_t>> startup;
  /// The module's source map, if it is to be rewritten, and the URL of the result.
  const wasm::SourceMap *sourceMap = nullptr;
  std::string newSourceMapUrl;
};

struct ReorderedModule {
  llvm::SmallVector<uint8_t, 0> bytes;
  /// The mappings of the rewritten source map; empty if there is none.
  std::string sourceMappings;
  wasm::EditStatistics statistics;
  /// Empty unless measured.
  CodeLayout before;
  CodeLayout after;
  /// The number of functions whose index has changed.
  uint64_t movedFunctions = 0;
};

/// Moves the functions of `order` in front of the others; they must be unique and have code. If
/// they are in that order already, and no other change is requested, the result has the module's
/// bytes.
llvm::Expected<ReorderedModule> reorderModule(const wasm::Module &module,
                                              llvm::ArrayRef<uint32_t> order,
                                              const ReorderOptions &options);

} // namespace warpo

#endif
