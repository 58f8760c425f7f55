//===- Amount.h - Weights of other programs' files as whole numbers -------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_IMPORT_AMOUNT_H
#define WARPO_LIB_IMPORT_AMOUNT_H

#include "JsonDocument.h"
#include <optional>

namespace warpo {

/// How many nanoseconds the units of time have that profiles are written in, by their names:
/// `nanoseconds`, `ms`, …; nothing for other units.
std::optional<uint64_t> nanosecondsOf(llvm::StringRef unit);

/// `value` × `scale`, rounded; the largest number for more than that. Nothing for what is negative
/// or no number.
std::optional<uint64_t> amountOf(double value, uint64_t scale = 1);
std::optional<uint64_t> amountOf(int64_t value, uint64_t scale = 1);
std::optional<uint64_t> amountOf(JsonValue value, uint64_t scale = 1);
/// The same of a number in digits, with or without a point.
std::optional<uint64_t> amountInText(llvm::StringRef text, uint64_t scale = 1);

} // namespace warpo

#endif
