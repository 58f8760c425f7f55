//===- HugePages.cpp ------------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Support/HugePages.h"
#include "llvm/Support/MathExtras.h"
#include <sys/mman.h>

using namespace llvm;

void warpo::reserveHugePages(SmallVectorImpl<uint8_t> &buffer, size_t size) {
  buffer.reserve(size);
  requestHugePages(buffer.data(), buffer.capacity());
}

void warpo::requestHugePages(const void *memory, size_t size) {
#ifdef MADV_HUGEPAGE
  // The last page that is written may be almost empty: small buffers would take several times their
  // size.
  constexpr uint64_t hugePage = 2 << 20, least = 4 << 20;
  if (size < least)
    return;
  auto begin = reinterpret_cast<uintptr_t>(memory);
  uint64_t first = alignTo(begin, hugePage), last = alignDown(begin + size, hugePage);
  // Only advice: without huge pages everything works as well.
  if (first < last)
    (void)madvise(reinterpret_cast<void *>(first), last - first, MADV_HUGEPAGE);
#endif
}
