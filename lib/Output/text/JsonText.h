//===- JsonText.h - Pieces of JSON for outputs put together by hand -------===//
// SPDX-License-Identifier: Apache-2.0
//
// For files with so many numbers that the bookkeeping of a JSON writer would dominate the cost.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_OUTPUT_TEXT_JSONTEXT_H
#define WARPO_OUTPUT_TEXT_JSONTEXT_H

#include "llvm/ADT/StringRef.h"
#include <charconv>
#include <cstdint>
#include <string>

namespace warpo {

/// `text` as a JSON string, including quotes. Invalid UTF-8 becomes U+FFFD.
std::string jsonString(llvm::StringRef text);

/// Maximum length of a number.
inline constexpr size_t maxDecimal = 20;
/// Writes the digits of `value` and returns their end.
inline char *writeDecimal(char *at, uint64_t value) {
  return std::to_chars(at, at + maxDecimal, value).ptr;
}

/// Writes exactly `count` digits, with leading zeros.
inline char *writeDigits(char *at, uint32_t value, unsigned count) {
  for (unsigned i = count; i-- > 0; value /= 10)
    at[i] = char('0' + value % 10);
  return at + count;
}

/// Writes nanoseconds as microseconds: `12.345` for 12345. Takes at most maxDecimal + 1 bytes.
inline char *writeThousandths(char *at, uint64_t value) {
  at = writeDecimal(at, value / 1000);
  *at++ = '.';
  return writeDigits(at, uint32_t(value % 1000), 3);
}

} // namespace warpo

#endif
