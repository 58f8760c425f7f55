//===- JsonText.h - Pieces of JSON for outputs put together by hand -------===//
// SPDX-License-Identifier: Apache-2.0
//
// For files of so many numbers that a JSON writer's bookkeeping would cost more than the rest.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_OUTPUT_TEXT_JSONTEXT_H
#define WARPO_OUTPUT_TEXT_JSONTEXT_H

#include "llvm/ADT/StringRef.h"
#include <charconv>
#include <cstdint>
#include <string>

namespace warpo {

/// `text` as a JSON string, its quotes included. What is not UTF-8 becomes U+FFFD.
std::string jsonString(llvm::StringRef text);

/// Room that a number may need.
inline constexpr size_t maxDecimal = 20;
/// Writes the digits of `value`; returns their end.
inline char *writeDecimal(char *at, uint64_t value) {
  return std::to_chars(at, at + maxDecimal, value).ptr;
}

/// Writes exactly `count` digits, with zeros in front.
inline char *writeDigits(char *at, uint32_t value, unsigned count) {
  for (unsigned i = count; i-- > 0; value /= 10)
    at[i] = char('0' + value % 10);
  return at + count;
}

/// Nanoseconds in thousands: `12.345` for 12345, as microseconds. Room: maxDecimal + 1.
inline char *writeThousandths(char *at, uint64_t value) {
  at = writeDecimal(at, value / 1000);
  *at++ = '.';
  return writeDigits(at, uint32_t(value % 1000), 3);
}

} // namespace warpo

#endif
