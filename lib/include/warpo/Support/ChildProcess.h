//===- ChildProcess.h - A program that gives one answer -------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_SUPPORT_CHILDPROCESS_H
#define WARPO_SUPPORT_CHILDPROCESS_H

#include "warpo/Support/Landlock.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <string>
#include <vector>

namespace warpo {

struct ChildProcess {
  /// An absolute path.
  std::string program;
  /// With the program's name in front.
  std::vector<std::string> arguments;
  /// Descriptors of ours, and as which the child sees them. Where nothing else is said it has our
  /// standard streams. None may be `answerDescriptor`.
  struct Descriptor {
    int ours;
    int childs;
  };
  std::vector<Descriptor> descriptors;
  /// All that it may open, where the kernel is to hold it to that.
  std::optional<FileAccess> confinement;
  /// A signal that would end this process, such as that of Ctrl-C, ends the child alone: this
  /// process goes on, to keep what the child has left.
  bool isOutlived = false;

  /// Where the child writes its answer.
  static constexpr int answerDescriptor = 3;
};

/// How a child ended.
struct ChildEnd {
  /// What it wrote to `answerDescriptor`.
  std::string answer;
  /// -1 after a signal.
  int exitCode = 0;
  /// 0 if none has ended it.
  int signal = 0;
  /// "exit code 3" or "signal 9 (Killed)", for messages.
  std::string description;
};

/// Runs the child with our environment until it has ended. Fails where it cannot be started; what
/// its end means is up to the caller.
llvm::Expected<ChildEnd> runChild(const ChildProcess &child);

/// A program's output as part of a message: without colours and line breaks, cut where it is long.
std::string asMessage(llvm::StringRef output);

/// A file that is installed with this program: `path` below a folder above the program, as it is
/// both where warpo is installed and where it is built.
llvm::Expected<std::string> findInstalledFile(llvm::StringRef path);

} // namespace warpo

#endif
