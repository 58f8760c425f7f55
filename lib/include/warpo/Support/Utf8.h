//===- Utf8.h - Cuts text between characters ------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_SUPPORT_UTF8_H
#define WARPO_SUPPORT_UTF8_H

#include "llvm/ADT/StringRef.h"

namespace warpo {

/// At most `most` bytes from the front of a text, without a partial character at the end. Invalid
/// UTF-8 is cut nearby.
inline llvm::StringRef takeCharacters(llvm::StringRef text, size_t most) {
  if (text.size() <= most)
    return text;
  size_t size = most;
  // A character has at most three bytes after its first one.
  while (size > 0 && most - size < 3 && (uint8_t(text[size]) & 0xc0) == 0x80)
    --size;
  return text.take_front(size);
}

} // namespace warpo

#endif
