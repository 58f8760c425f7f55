//===- BinaryModule.h - A module's file, whatever form it has -------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_TOOLING_BINARYMODULE_H
#define WARPO_LIB_TOOLING_BINARYMODULE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>

namespace warpo {

/// A file that an engine can read: the one given; or, if that is a module's text, a pipe, or `-`
/// for standard input, a copy of the module in a folder of its own for as long as this lives.
class BinaryModule {
public:
  /// A file that cannot be read is given on as it is: the engine says why. An error is one of the
  /// text's, with the place in it.
  static llvm::Expected<BinaryModule> of(llvm::StringRef path);
  BinaryModule(BinaryModule &&other)
      : path_(std::move(other.path_)), folder_(std::exchange(other.folder_, "")) {}
  ~BinaryModule();

  const std::string &path() const { return path_; }

private:
  explicit BinaryModule(std::string path) : path_(std::move(path)) {}
  llvm::Error write(llvm::StringRef name, llvm::StringRef contents);

  std::string path_;
  /// Empty: the file is not ours.
  std::string folder_;
};

} // namespace warpo

#endif
