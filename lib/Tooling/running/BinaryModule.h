//===- BinaryModule.h - A module as a file that engines can read ----------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_TOOLING_BINARYMODULE_H
#define WARPO_TOOLING_BINARYMODULE_H

#include "../common/TemporaryFolder.h"
#include <optional>

namespace warpo {

/// Files that an engine can read: those given; or, of a module's text, a pipe, or `-` for standard
/// input, copies in a temporary folder for as long as this lives.
class BinaryModules {
public:
  /// The path of the file. A file that cannot be read is given on as it is: the engine says why. An
  /// error is one of the text's, with the place in it.
  llvm::Expected<std::string> pathOf(llvm::StringRef given);

private:
  llvm::Expected<std::string> copy(llvm::StringRef name, llvm::StringRef contents);

  std::optional<TemporaryFolder> folder_;
  size_t copies_ = 0;
};

} // namespace warpo

#endif
