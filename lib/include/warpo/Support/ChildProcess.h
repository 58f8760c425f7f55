//===- ChildProcess.h - A program that returns one answer -----------------===//
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
  /// Includes the program's name as the first.
  std::vector<std::string> arguments;
  /// Descriptors that the child inherits, and their numbers in the child. By default it has our
  /// standard streams. `answerDescriptor` must not be used.
  struct Descriptor {
    int ours;
    int childs;
  };
  std::vector<Descriptor> descriptors;
  /// If set, the kernel lets the child open only these files.
  std::optional<FileAccess> confinement;
  /// Signals that would end this process, such as that of Ctrl-C, end only the child: this process
  /// continues, to save the child's results.
  bool isOutlived = false;
  /// If not 0: sent to the child in place of any such signal. The child is killed if another one
  /// follows or, unless it was that of Ctrl-C, after 10 s.
  int signalToEnd = 0;
  /// If not empty, such a signal also creates a file in this folder: `<receiver>.SIGINT`, where the
  /// receiver is the child or, if negative, the process group that got the signal with this one.
  std::string signalFolder;

  /// The descriptor to which the child writes its answer.
  static constexpr int answerDescriptor = 3;
};

/// How a child ended.
struct ChildEnd {
  /// The bytes written to `answerDescriptor`.
  std::string answer;
  /// -1 after a signal.
  int exitCode = 0;
  /// 0 if it was not ended by a signal.
  int signal = 0;
  /// The signal that would have ended this process, see ChildProcess::isOutlived; 0: none.
  int outlivedSignal = 0;
  /// "exit code 3" or "signal 9 (Killed)", for messages.
  std::string description;
};

/// Runs the child with our environment until it has ended. Fails only if it cannot be started.
llvm::Expected<ChildEnd> runChild(const ChildProcess &child);

/// A program's output for a message: without colours and line breaks, cut if too long.
std::string asMessage(llvm::StringRef output);

/// Finds a file installed with this program: `path` is relative to a parent folder of the program,
/// both in an installation and in a build folder.
llvm::Expected<std::string> findInstalledFile(llvm::StringRef path);

} // namespace warpo

#endif
