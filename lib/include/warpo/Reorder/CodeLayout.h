//===- CodeLayout.h - Measures for an order of functions ------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_REORDER_CODELAYOUT_H
#define WARPO_REORDER_CODELAYOUT_H

#include "warpo/Wasm/Module.h"
#include <optional>

namespace warpo {

/// Sizes in bytes.
struct CodeLayout {
  uint64_t moduleSize = 0;
  /// Compressed by gzip and zstd at their default levels; nothing if LLVM was built without them.
  std::optional<uint64_t> gzipSize;
  std::optional<uint64_t> zstdSize;
  /// Size of the code section's contents.
  uint64_t codeSize = 0;
  /// The bytes that a streaming compiler has to wait for: from the code section's first byte to the
  /// end of the last start-up function. 0 if there is none.
  uint64_t startupSpan = 0;
  /// The number of pages of 4 KiB, counted from the code section's first byte, with code of
  /// start-up functions.
  uint64_t startupPages = 0;
};

/// `startup` must be functions with code.
CodeLayout measureLayout(const wasm::Module &module, llvm::ArrayRef<uint32_t> startup);

} // namespace warpo

#endif
