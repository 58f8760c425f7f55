// SPDX-License-Identifier: Apache-2.0
// System calls of the recorder that fail when a test wants it. The linker puts these in front of
// the real ones (--wrap, CMakeLists.txt), for this program alone.
#ifndef WARPO_UNITTESTS_RECORDER_FAILINGCALLS_H
#define WARPO_UNITTESTS_RECORDER_FAILINGCALLS_H

#include <cstdint>

enum class Call { none, write, pwrite, ftruncate, lseek, fallocate, mmap, close, thread, malloc };
constexpr Call lastCall = Call::malloc;

/// Calls of one kind, counted from 0 on since the failure was set: those from `first` on fail, so
/// many of them.
struct Failure {
  Call call = Call::none;
  uint64_t first = 0;
  uint64_t times = 1;
  int error = 0;
  /// Of `write`: the first that fails has taken half of its bytes.
  bool takesHalf = false;

  static constexpr uint64_t forever = UINT64_MAX;
};

/// For this process and its threads, from now on.
void setFailure(const Failure &failure);

#endif
