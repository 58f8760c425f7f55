//===- BinaryModule.h - Modules as files that engines can read ------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_TOOLING_BINARYMODULE_H
#define WARPO_TOOLING_BINARYMODULE_H

#include "../common/TemporaryFolder.h"
#include <optional>

namespace warpo {

/// Provides files that an engine can read: the given ones or, for text, pipes and standard input
/// (`-`), copies in a temporary folder that exists as long as this.
class BinaryModules {
public:
  /// The path of the file. If it cannot be read, returns the given path: the engine reports the
  /// reason. Fails for invalid text, with the position in it.
  llvm::Expected<std::string> pathOf(llvm::StringRef given);

private:
  llvm::Expected<std::string> copy(llvm::StringRef name, llvm::StringRef contents);

  std::optional<TemporaryFolder> folder_;
  size_t copies_ = 0;
};

} // namespace warpo

#endif
