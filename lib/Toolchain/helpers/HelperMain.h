//===- HelperMain.h - Input, result and end of a helper program -----------===//
// SPDX-License-Identifier: Apache-2.0
//
// In C++17 and without LLVM: wabt's headers are not valid C++20, and a helper starts faster.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_LIB_TOOLCHAIN_HELPERS_HELPERMAIN_H
#define WARPO_LIB_TOOLCHAIN_HELPERS_HELPERMAIN_H

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <string>
#include <sys/resource.h>
#include <unistd.h>

#ifdef __has_feature
#define WARPO_HAS_FEATURE(feature) __has_feature(feature)
#else
#define WARPO_HAS_FEATURE(feature) 0
#endif

namespace warpo {

/// Ends the helper with a message for its caller.
[[noreturn]] inline void helperFailed(const std::string &message, int exitCode = 1) {
  fprintf(stderr, "%s\n", message.c_str());
  fflush(stderr);
  _exit(exitCode);
}

// A small module can become terabytes of text (deeply nested blocks, each indented), and a swapping
// machine is unusable. Sanitizers need more than any limit.
inline void limitMemory(size_t memory) {
#if defined(__SANITIZE_ADDRESS__) || WARPO_HAS_FEATURE(address_sanitizer)
  (void)memory;
#else
  rlimit limit;
  getrlimit(RLIMIT_DATA, &limit);
  limit.rlim_cur = std::min<rlim_t>(limit.rlim_max, memory);
  setrlimit(RLIMIT_DATA, &limit);
  std::set_new_handler([] { helperFailed("it takes too much memory", 3); });
#endif
}

/// Reads all of standard input. Limits the memory of the process to `memory` bytes plus 256 per
/// byte of input.
inline std::string helperInput(size_t memory) {
  std::string input;
  char block[1 << 16];
  while (size_t size = fread(block, 1, sizeof(block), stdin))
    input.append(block, size);
  if (ferror(stdin))
    helperFailed("standard input cannot be read");
  limitMemory(memory + 256 * input.size());
  return input;
}

/// Writes the result and ends the helper without running destructors: those of a module's nested
/// code would need a deep stack.
[[noreturn]] inline void helperDone(const char *result, size_t size) {
  constexpr int resultDescriptor = 3;
  while (size) {
    ssize_t written = write(resultDescriptor, result, size);
    if (written < 0)
      helperFailed("the result cannot be written");
    result += written;
    size -= size_t(written);
  }
  _exit(0);
}
[[noreturn]] inline void helperDone(const std::string &result) {
  helperDone(result.data(), result.size());
}

} // namespace warpo

#endif
