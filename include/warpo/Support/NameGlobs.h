//===- NameGlobs.h - Chooses function names by patterns -------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_SUPPORT_NAMEGLOBS_H
#define WARPO_SUPPORT_NAMEGLOBS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/GlobPattern.h"
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace warpo {

/// A set of shell patterns: `*`, `?`, `[…]`, and `\` before a character that shall stand for
/// itself. `[]` stands for itself, and a name that equals a pattern to the letter matches it too,
/// so that names with brackets (`Array<i32>#[]`) can be pasted as they are.
class NameGlobs {
public:
  /// `option` is named in the error for a pattern that cannot be read.
  static llvm::Expected<NameGlobs> create(llvm::ArrayRef<std::string> patterns,
                                          llvm::StringRef option);

  bool empty() const { return globs_.empty(); }
  bool matches(llvm::StringRef name) const;
  /// What --module chooses: a module with such a name (`Module <id>` if it has none) or id, decimal
  /// or as in 0x10.
  bool matchesModule(uint64_t id, llvm::StringRef name) const;

private:
  struct Glob {
    std::string text;
    // The pattern refers to this.
    std::string escaped;
    std::optional<llvm::GlobPattern> pattern;
  };
  std::vector<std::unique_ptr<Glob>> globs_;
};

} // namespace warpo

#endif
