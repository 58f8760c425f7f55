//===- SourceUrl.h - Links to places in the source ------------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_OUTPUT_SOURCEURL_H
#define WARPO_OUTPUT_SOURCEURL_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <string>

namespace warpo {

/// Makes the address of a source place from --source-url, such as
/// `https://example.org/app/{file}#L{line}`. A default one makes no links.
class SourceUrl {
public:
  SourceUrl() = default;
  /// Fails for a text without `{file}`, or one that does not begin with a scheme and `//`.
  static llvm::Expected<SourceUrl> create(llvm::StringRef pattern);

  /// Whether links are made.
  explicit operator bool() const { return !pattern_.empty(); }
  /// Empty if no links are made or the file is unknown. An unknown line becomes the first.
  std::string of(llvm::StringRef file, uint32_t line) const;

private:
  std::string pattern_;
};

} // namespace warpo

#endif
