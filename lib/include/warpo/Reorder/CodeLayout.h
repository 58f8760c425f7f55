//===- CodeLayout.h - What an order of functions is judged by -------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_REORDER_CODELAYOUT_H
#define WARPO_REORDER_CODELAYOUT_H

#include "warpo/Wasm/Module.h"
#include <optional>

namespace warpo {

/// Sizes in bytes.
struct CodeLayout {
  uint64_t moduleSize = 0;
  /// As gzip and zstd make it, at their usual levels; nothing if LLVM was built without them.
  std::optional<uint64_t> gzipSize;
  std::optional<uint64_t> zstdSize;
  /// Of the code section's contents.
  uint64_t codeSize = 0;
  /// What a streaming compiler has to wait for: from the code section's first byte to the end of
  /// the last function of start-up. 0 if there is none.
  uint64_t startupSpan = 0;
  /// How many pages of 4 KiB, counted from the code section's first byte, those functions touch.
  uint64_t startupPages = 0;
};

/// `startup` are functions with code.
CodeLayout measureLayout(const wasm::Module &module, llvm::ArrayRef<uint32_t> startup);

} // namespace warpo

#endif
