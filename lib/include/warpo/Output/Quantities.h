//===- Quantities.h - Numbers for display ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_OUTPUT_QUANTITIES_H
#define WARPO_OUTPUT_QUANTITIES_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>
#include <string>

namespace warpo {

/// `1,234,567`
std::string groupDigits(uint64_t number);

/// Four digits in a suitable unit: `999 ns`, `1.234 us`, `12.34 ms`, `123.4 s`, `12,345 s`.
std::string formatTime(uint64_t nanoseconds);

/// A weight of a profile in the unit of Profile::unit(): a time, or `1,234 ticks`, `1 call`.
std::string formatWeight(uint64_t weight, llvm::StringRef unit);

/// `part` per `other`: infinite if only `other` is 0, nothing if both are.
std::optional<double> ratioOf(uint64_t part, uint64_t other);

/// Combines the units of two weights: `ns per fuel`, `ns per call`.
std::string ratioUnit(llvm::StringRef unit, llvm::StringRef otherUnit);

/// Three digits and the unit: `0.352 ns per fuel`, `1,234 ns per fuel`; only the infinity sign for
/// an infinite ratio.
std::string formatRatio(double ratio, llvm::StringRef unit);

/// `12.3 %`. `100 %` and `0 %` are exact; `<0.1 %` is more than 0.
std::string formatShare(uint64_t part, uint64_t whole);

} // namespace warpo

#endif
