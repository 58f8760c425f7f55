//===- Companion.h - Finds the file with a module's debug information -----===//
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

/// How certain it is that a file belongs to a module, in ascending order.
enum class CompanionFit : uint8_t {
  /// It is in the module's folder and has a similar name.
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
  /// The custom sections.
  llvm::ArrayRef<wasm::Section> sections() const { return sections_; }
  bool isCopyOf(const Companion &other) const {
    return buffer_->getBuffer() == other.buffer_->getBuffer();
  }
  /// How certain it is that the file belongs to the module; `known` is the certainty without regard
  /// to its contents. Fails if it belongs to another module.
  llvm::Expected<CompanionFit> fit(const wasm::Module &module, CompanionFit known) const;

private:
  Companion(std::string path, std::unique_ptr<llvm::MemoryBuffer> buffer)
      : path_(std::move(path)), buffer_(std::move(buffer)) {}
  llvm::Error readSections();

  std::string path_;
  std::unique_ptr<llvm::MemoryBuffer> buffer_;
  std::vector<wasm::Section> sections_;
};

/// Selects the file that most certainly belongs to a module.
class CompanionChoice {
public:
  explicit CompanionChoice(const wasm::Module &module) : module_(module) {}

  /// Adds a file, or the error in finding it.
  void add(llvm::Expected<std::string> path, CompanionFit known);
  /// Returns nothing if no file has debug information, and none was required to. Fails with the
  /// first file's problem if no file fits, and if there are two different files that fit only by
  /// name.
  llvm::Expected<std::optional<Companion>> take();

private:
  llvm::Error tryFile(llvm::Expected<std::string> path, CompanionFit known);

  const wasm::Module &module_;
  std::optional<Companion> best_;
  CompanionFit fit_ = CompanionFit::calledSo;
  /// The path of another file that fits as well; empty if there is none.
  std::string rival_;
  /// The first file's problem; empty if there is none.
  std::string problem_;
};

} // namespace warpo

#endif
