//===- PageCompressor.cpp -------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "PageCompressor.h"
#include "llvm/Support/ErrorHandling.h"
#include <zstd.h>

using namespace llvm;
using namespace warpo;

static constexpr int level = 3;
/// log2 of the entries in its two tables, of four bytes each; the level itself takes 16 for pages
/// of this size.
static constexpr int tableBits = 14;

/// All that can fail is an allocation.
static size_t check(size_t result) {
  if (ZSTD_isError(result))
    report_bad_alloc_error(ZSTD_getErrorName(result));
  return result;
}

PageCompressor::PageCompressor() : context_(ZSTD_createCCtx()) {
  if (!context_)
    report_bad_alloc_error("no memory to compress");
  for (auto [parameter, value] : {std::pair(ZSTD_c_compressionLevel, level),
                                  {ZSTD_c_hashLog, tableBits},
                                  {ZSTD_c_chainLog, tableBits}})
    check(ZSTD_CCtx_setParameter(context_.get(), parameter, value));
}

void PageCompressor::Free::operator()(ZSTD_CCtx_s *context) const { ZSTD_freeCCtx(context); }

void PageCompressor::compress(ArrayRef<uint8_t> page, SmallVectorImpl<uint8_t> &out) {
  out.resize_for_overwrite(ZSTD_compressBound(page.size()));
  out.truncate(
      check(ZSTD_compress2(context_.get(), out.data(), out.size(), page.data(), page.size())));
}
