//===- SourceUrl.h - Links to places in the source ------------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_OUTPUT_SOURCEURL_H
#define WARPO_OUTPUT_SOURCEURL_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <string>

namespace warpo {

/// What --source-url says: how the address of a place is made, as in
/// `https://example.org/app/{file}#L{line}`. The default makes none.
class SourceUrl {
public:
  SourceUrl() = default;
  /// Fails for a text without `{file}`, or without a scheme and `//` in front.
  static llvm::Expected<SourceUrl> create(llvm::StringRef pattern);

  /// Whether links are made.
  explicit operator bool() const { return !pattern_.empty(); }
  /// Empty if no links are made, or the file is unknown. For an unknown line it is the first.
  std::string of(llvm::StringRef file, uint32_t line) const;

private:
  std::string pattern_;
};

} // namespace warpo

#endif
