//===- TimeScale.h - From counts of a clock to nanoseconds ----------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_RECORD_TIMESCALE_H
#define WARPO_RECORD_TIMESCALE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <string>

namespace warpo {

/// The rate of a clock as a fraction, so that counts of up to 2^63 are converted to nanoseconds
/// with one rounding.
class TimeScale {
public:
  /// One count is `nanoseconds / counts` ns. Neither may be 0.
  constexpr TimeScale(uint64_t nanoseconds = 1, uint64_t counts = 1)
      : nanoseconds_(nanoseconds), counts_(counts) {}

  /// Parses ns per count: a number that a double can represent (`0.4`, `.5`, `1e-3`), at least
  /// 2^-63 and less than 2^64, or a fraction (`125/3`) of two 64-bit numbers. The result is exact
  /// if the number is such a fraction, else as exact as a double.
  static llvm::Expected<TimeScale> parse(llvm::StringRef text);
  /// A decimal or, where that would not be exact, a fraction. parse() reads it back.
  std::string toString() const;

  /// Whether a count is one nanosecond.
  bool isIdentity() const { return counts_ == 1 && nanoseconds_ == 1; }

  /// Nanoseconds, rounded down; saturates.
  uint64_t toNanoseconds(uint64_t counts) const {
    if (isIdentity())
      return counts;
    return scaled(counts, nanoseconds_, counts_);
  }
  /// The first count whose time in nanoseconds is at least `nanoseconds`.
  uint64_t toCounts(uint64_t nanoseconds) const;

  /// The fraction: `counts()` counts are `nanoseconds()` ns.
  uint64_t nanoseconds() const { return nanoseconds_; }
  uint64_t counts() const { return counts_; }

  double nanosecondsPerCount() const { return double(nanoseconds_) / double(counts_); }

private:
  static uint64_t scaled(uint64_t value, uint64_t numerator, uint64_t denominator) {
    __extension__ using Wide = unsigned __int128;
    Wide product = Wide(value) * numerator;
    // A 64-bit division is several times faster than a 128-bit one, and suffices for hours at 3
    // GHz.
    if (product <= UINT64_MAX)
      return uint64_t(product) / denominator;
    Wide result = product / denominator;
    return result > UINT64_MAX ? UINT64_MAX : uint64_t(result);
  }

  uint64_t nanoseconds_;
  uint64_t counts_;
};

} // namespace warpo

#endif
