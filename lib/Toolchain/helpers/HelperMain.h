//===- HelperMain.h - Input, result and end of a helper program -----------===//
//
// In C++17 and without LLVM: wabt's headers are no C++20, and a helper starts faster.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_LIB_TOOLCHAIN_HELPERS_HELPERMAIN_H
#define WARPO_LIB_TOOLCHAIN_HELPERS_HELPERMAIN_H

#include <cstdio>
#include <cstdlib>
#include <string>
#include <unistd.h>

namespace warpo {

/// Ends the helper; the message goes to whoever called it.
[[noreturn]] inline void helperFailed(const std::string &message, int exitCode = 1) {
  fprintf(stderr, "%s\n", message.c_str());
  fflush(stderr);
  _exit(exitCode);
}

/// All of standard input.
inline std::string helperInput() {
  std::string input;
  char block[1 << 16];
  while (size_t size = fread(block, 1, sizeof(block), stdin))
    input.append(block, size);
  if (ferror(stdin))
    helperFailed("standard input cannot be read");
  return input;
}

/// Writes the result and ends the helper, without the destructors of whatever is left: the nested
/// code of a module would need a deep stack.
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
