//===- ChildProcess.h - A program of which we read one answer -------------===//

#ifndef WARPO_LIB_ENGINE_CHILDPROCESS_H
#define WARPO_LIB_ENGINE_CHILDPROCESS_H

#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace warpo {

struct ChildProcess {
  /// An absolute path.
  std::string program;
  /// With the program's name in front.
  std::vector<std::string> arguments;
  /// Descriptor of ours that the child gets as `recordDescriptor`; -1: none.
  int record = -1;
  bool outputToStderr = false;

  /// The descriptors as the child sees them.
  static constexpr int answerDescriptor = 3;
  static constexpr int recordDescriptor = 4;
};

/// How a child ended.
struct ChildEnd {
  /// What it wrote to `answerDescriptor`.
  std::string answer;
  /// "exit code 3" or "signal 9 (Killed)", for messages.
  std::string description;
};

/// Runs the child with our standard streams and environment until it has ended.
llvm::Expected<ChildEnd> runChild(const ChildProcess &child);

} // namespace warpo

#endif
