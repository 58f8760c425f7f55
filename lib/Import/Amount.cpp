//===- Amount.cpp ---------------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "Amount.h"
#include "warpo/Support/NumberText.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>
#include <limits>

using namespace llvm;
using namespace warpo;

std::optional<uint64_t> warpo::nanosecondsOf(StringRef unit) {
  return StringSwitch<std::optional<uint64_t>>(unit)
      .Cases("nanoseconds", "nanosecond", "ns", 1)
      .Cases("microseconds", "microsecond", "us", "µs", 1000)
      .Cases("milliseconds", "millisecond", "ms", 1'000'000)
      .Cases("seconds", "second", "s", 1'000'000'000)
      .Default(std::nullopt);
}

std::optional<uint64_t> warpo::amountOf(double value, uint64_t scale) {
  // Also false for NaN.
  if (!(value >= 0))
    return std::nullopt;
  double scaled = std::round(value * double(scale));
  return scaled < 0x1p64 ? uint64_t(scaled) : std::numeric_limits<uint64_t>::max();
}

std::optional<uint64_t> warpo::amountOf(int64_t value, uint64_t scale) {
  if (value < 0)
    return std::nullopt;
  return SaturatingMultiply(uint64_t(value), scale);
}

std::optional<uint64_t> warpo::amountOf(JsonValue value, uint64_t scale) {
  if (std::optional<uint64_t> whole = value.natural())
    return SaturatingMultiply(*whole, scale);
  std::optional<double> number = value.number();
  return number ? amountOf(*number, scale) : std::nullopt;
}

std::optional<uint64_t> warpo::amountInText(StringRef text, uint64_t scale) {
  uint64_t whole;
  if (!text.empty() && all_of(text, isDigit))
    return text.getAsInteger(10, whole) ? std::numeric_limits<uint64_t>::max()
                                        : SaturatingMultiply(whole, scale);
  if (text.empty() || !isDigit(text.front()) ||
      text.find_first_not_of("0123456789.") != StringRef::npos)
    return std::nullopt;
  std::optional<double> number = numberInText(text);
  return number ? amountOf(*number, scale) : std::nullopt;
}
