//===- CodeListing.h - A module's code by source line ---------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_TOOLING_CODELISTING_H
#define WARPO_LIB_TOOLING_CODELISTING_H

#include "warpo/Places/ModulePlaces.h"
#include "warpo/Report/Annotation.h"
#include "warpo/Support/SourcePaths.h"
#include "warpo/Wasm/FunctionNames.h"
#include "warpo/Wasm/Module.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace warpo {

/// Displayed names of functions.
class ShownNames {
public:
  explicit ShownNames(const wasm::Module &module) : module_(module), names_(module) {}

  /// The index need not be valid.
  std::string of(uint32_t function) const;

private:
  const wasm::Module &module_;
  wasm::FunctionNames names_;
};

/// Instructions as text, as in `0x1a4  local.get 2`, with their offsets in the module's file; each
/// function's are preceded by its name.
class CodeListing {
public:
  /// Reads a module with debug information, binary or text. `paths` converts paths of files as for
  /// annotated parts.
  static llvm::Expected<CodeListing> read(llvm::StringRef path,
                                          const std::optional<SourcePaths> &paths);
  /// The same for a module that has been read.
  static llvm::Expected<CodeListing> make(const wasm::Module &module, const ModulePlaces &places,
                                          const std::optional<SourcePaths> &paths);

  /// Whether no line has code.
  bool empty() const { return code_.empty(); }
  /// The code of a line, in the module's order.
  llvm::ArrayRef<std::string> of(llvm::StringRef file, uint32_t line) const;

private:
  std::map<std::pair<std::string, uint32_t>, std::vector<std::string>> code_;
};

/// The instructions of straight runs, one line each, as in `local.get 2; i32.load offset=8`.
class RunTexts {
public:
  explicit RunTexts(const wasm::Module &module) : module_(module), names_(module) {}

  /// Sets the texts of lines whose numbers are the offsets at which runs begin, in ascending order.
  void add(llvm::MutableArrayRef<AnnotatedLine> lines) const;

private:
  void addBody(const wasm::ByteRange &body, llvm::MutableArrayRef<AnnotatedLine> lines) const;

  const wasm::Module &module_;
  ShownNames names_;
};

} // namespace warpo

#endif
