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

/// A set of shell patterns: `*`, `?`, `[…]`, and `\` to take the next character literally. `[]` is
/// literal, and a name equal to a pattern also matches it, so that names with brackets
/// (`Array<i32>#[]`) can be pasted unchanged.
class NameGlobs {
public:
  /// `option` is named in the error for an invalid pattern.
  static llvm::Expected<NameGlobs> create(llvm::ArrayRef<std::string> patterns,
                                          llvm::StringRef option);

  bool empty() const { return globs_.empty(); }
  bool matches(llvm::StringRef name) const;
  /// Whether --module selects a module with this name (`Module <id>` without one) or id, decimal or
  /// as in 0x10.
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
