//===- Helper.h - Runs one of the helper programs -------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Foreign libraries that end the process on input that they do not like, or overflow its stack on
// code that is nested deeply, run in programs of their own, installed beside the tools:
//
//   warpo-<library> <command> [arguments]     input: stdin     result: descriptor 3
//
// On success the exit code is 0. On failure stderr has the library's words; the exit code is then 3
// where more memory was wanted than is sensible, 1 in general, and other ones are the command's
// own.
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
  /// What the helper printed, on one line and not longer than a message may be; how it ended, if it
  /// printed nothing.
  std::string words;
};

/// `name` is that of the program. Fails where the helper is not installed or cannot be started.
llvm::Expected<HelperEnd> runHelper(llvm::StringRef name, llvm::ArrayRef<std::string> arguments,
                                    llvm::StringRef input);

} // namespace warpo

#endif
