//===- Amount.h - Weights of foreign files as integers --------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_IMPORT_AMOUNT_H
#define WARPO_LIB_IMPORT_AMOUNT_H

#include "JsonDocument.h"
#include <optional>

namespace warpo {

/// The nanoseconds in a unit of time, by the names used in profiles: `nanoseconds`, `ms`, …;
/// nothing for other units.
std::optional<uint64_t> nanosecondsOf(llvm::StringRef unit);

/// `value` × `scale`, rounded, saturating. Nothing if negative or not a number.
std::optional<uint64_t> amountOf(double value, uint64_t scale = 1);
std::optional<uint64_t> amountOf(int64_t value, uint64_t scale = 1);
std::optional<uint64_t> amountOf(JsonValue value, uint64_t scale = 1);
/// The same for a decimal number, with or without a point.
std::optional<uint64_t> amountInText(llvm::StringRef text, uint64_t scale = 1);

} // namespace warpo

#endif
