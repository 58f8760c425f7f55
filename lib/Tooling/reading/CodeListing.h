//===- CodeListing.h - A module's code, by the lines that it comes from ---===//
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

/// Names of functions as they are shown.
class ShownNames {
public:
  explicit ShownNames(const wasm::Module &module) : module_(module), names_(module) {}

  /// The index may be one of no function.
  std::string of(uint32_t function) const;

private:
  const wasm::Module &module_;
  wasm::FunctionNames names_;
};

/// Instructions as text, as in `0x1a4  local.get 2`, with the offset in the module's file; those of
/// a function behind its name.
class CodeListing {
public:
  /// Of a module with debug information, binary or text. `paths` makes of its files what
  /// annotated parts have.
  static llvm::Expected<CodeListing> read(llvm::StringRef path,
                                          const std::optional<SourcePaths> &paths);
  /// The same of a module that was read.
  static llvm::Expected<CodeListing> make(const wasm::Module &module, const ModulePlaces &places,
                                          const std::optional<SourcePaths> &paths);

  /// Whether nothing is known of any line.
  bool empty() const { return code_.empty(); }
  /// The code of a line, in the module's order; none if it has none.
  llvm::ArrayRef<std::string> of(llvm::StringRef file, uint32_t line) const;

private:
  std::map<std::pair<std::string, uint32_t>, std::vector<std::string>> code_;
};

/// The instructions of straight runs on one line each, as in `local.get 2; i32.load offset=8`.
class RunTexts {
public:
  explicit RunTexts(const wasm::Module &module) : module_(module), names_(module) {}

  /// Puts them into lines whose numbers are the offsets at which the runs begin, in ascending
  /// order.
  void add(llvm::MutableArrayRef<AnnotatedLine> lines) const;

private:
  void addBody(const wasm::ByteRange &body, llvm::MutableArrayRef<AnnotatedLine> lines) const;

  const wasm::Module &module_;
  ShownNames names_;
};

} // namespace warpo

#endif
