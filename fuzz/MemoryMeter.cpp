//===- MemoryMeter.cpp ----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "MemoryMeter.h"
#include <algorithm>
#include <sanitizer/allocator_interface.h>

// Signed: what was allocated before may be freed now.
static thread_local ptrdiff_t used = 0;
static thread_local ptrdiff_t mostUsed = 0;
static thread_local bool measures = false;

static void onAllocation(const volatile void *, size_t size) {
  if (!measures)
    return;
  used += ptrdiff_t(size);
  mostUsed = std::max(mostUsed, used);
}

static void onRelease(const volatile void *memory) {
  if (measures && memory)
    used -= ptrdiff_t(__sanitizer_get_allocated_size(memory));
}

MemoryMeter::MemoryMeter() {
  static const int installed = __sanitizer_install_malloc_and_free_hooks(onAllocation, onRelease);
  (void)installed;
  used = mostUsed = 0;
  measures = true;
}

MemoryMeter::~MemoryMeter() { measures = false; }

size_t MemoryMeter::peak() const { return size_t(mostUsed); }
