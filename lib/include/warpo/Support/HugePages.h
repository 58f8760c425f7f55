//===- HugePages.h - Memory for large outputs -----------------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_SUPPORT_HUGEPAGES_H
#define WARPO_SUPPORT_HUGEPAGES_H

#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <vector>

namespace warpo {

/// Reserves memory for `size` bytes in all. Large buffers are requested in huge pages, where the
/// system has them: they are then filled without a page fault for every 4 kB, but a page takes 2 MB
/// as soon as its first byte is written.
void reserveHugePages(llvm::SmallVectorImpl<uint8_t> &buffer, size_t size);

/// The same for memory that is reserved already, if it is large.
void requestHugePages(const void *memory, size_t size);
template <typename T> void requestHugePages(const std::vector<T> &list) {
  requestHugePages(list.data(), list.capacity() * sizeof(T));
}

} // namespace warpo

#endif
