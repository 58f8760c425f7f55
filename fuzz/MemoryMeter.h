//===- MemoryMeter.h - How much memory was in use at once -----------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_FUZZ_MEMORYMETER_H
#define WARPO_FUZZ_MEMORYMETER_H

#include <cstddef>

/// Measures what this thread allocates, from here on until it ends. One at a time. By hooks that
/// the sanitizers' allocator calls.
class MemoryMeter {
public:
  MemoryMeter();
  ~MemoryMeter();
  MemoryMeter(const MemoryMeter &) = delete;
  MemoryMeter &operator=(const MemoryMeter &) = delete;

  /// Bytes: the most that was allocated at once.
  size_t peak() const;
};

#endif
