//===- Companion.h - Which file has a module's debug information ----------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_SOURCE_COMPANION_H
#define WARPO_LIB_SOURCE_COMPANION_H

#include "warpo/Wasm/Module.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace warpo {

/// How sure it is that a file is of a module, the surest last.
enum class CompanionFit : uint8_t {
  /// It lies beside the module and is called like it.
  calledSo,
  /// The module names it.
  named,
  /// The user does.
  given,
  /// Both have the same build id.
  sameBuild,
};

/// A file with a module's DWARF: a module too, often without code and without functions.
class Companion {
public:
  static llvm::Expected<Companion> read(std::string path);

  llvm::StringRef path() const { return path_; }
  /// The custom ones.
  llvm::ArrayRef<wasm::Section> sections() const { return sections_; }
  bool isCopyOf(const Companion &other) const {
    return buffer_->getBuffer() == other.buffer_->getBuffer();
  }
  /// How sure it is that the file is of the module; `known`: how sure, whatever the file contains.
  /// Fails if it is of another module.
  llvm::Expected<CompanionFit> fit(const wasm::Module &module, CompanionFit known) const;

private:
  Companion(std::string path, std::unique_ptr<llvm::MemoryBuffer> buffer)
      : path_(std::move(path)), buffer_(std::move(buffer)) {}
  llvm::Error readSections();

  std::string path_;
  std::unique_ptr<llvm::MemoryBuffer> buffer_;
  std::vector<wasm::Section> sections_;
};

/// Chooses the file that is surest to be of a module.
class CompanionChoice {
public:
  explicit CompanionChoice(const wasm::Module &module) : module_(module) {}

  /// A file, or why it cannot be had.
  void add(llvm::Expected<std::string> path, CompanionFit known);
  /// Nothing if no file has debug information, and none had to. Fails with the first file's problem
  /// if no file fits, and if two files differ that are chosen by their names alone.
  llvm::Expected<std::optional<Companion>> take();

private:
  llvm::Error tryFile(llvm::Expected<std::string> path, CompanionFit known);

  const wasm::Module &module_;
  std::optional<Companion> best_;
  CompanionFit fit_ = CompanionFit::calledSo;
  /// The path of another file that fits as well; empty if there is none.
  std::string rival_;
  /// The first file's; empty if there is none.
  std::string problem_;
};

} // namespace warpo

#endif
