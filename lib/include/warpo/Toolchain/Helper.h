//===- Helper.h - Runs a helper program -----------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Foreign libraries that exit on invalid input, or overflow the stack on deeply nested code, run in
// separate programs, installed beside the tools:
//
//   warpo-<library> <command> [arguments]     input: stdin     result: descriptor 3
//
// The exit code is 0 for success. On failure, stderr has the library's message; the exit code is
// then 3 if the library wanted an unreasonable amount of memory, other codes are specific to the
// command, and 1 is any other failure.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_TOOLCHAIN_HELPER_H
#define WARPO_TOOLCHAIN_HELPER_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>

namespace warpo {

struct HelperEnd {
  static constexpr int tooMuchMemory = 3;

  std::string result;
  /// 0 for success, -1 after a signal.
  int exitCode = 0;
  /// The helper's output on stderr as one line, cut to the length of a message; if there is none,
  /// how the helper ended.
  std::string words;
};

/// `name` is the program's name. Fails if the helper is not installed or cannot be started.
llvm::Expected<HelperEnd> runHelper(llvm::StringRef name, llvm::ArrayRef<std::string> arguments,
                                    llvm::StringRef input);

} // namespace warpo

#endif
