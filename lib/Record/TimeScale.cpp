//===- TimeScale.cpp ------------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Record/TimeScale.h"
#include "warpo/Support/Errors.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>
#include <cstdlib>
#include <numeric>
#include <optional>

using namespace llvm;
using namespace warpo;

/// Values outside of this range cannot be approximated by fractions of two 64-bit numbers.
static constexpr double leastRate = 0x1p-63;
static constexpr double rateLimit = 0x1p64;
/// 10^19 is the largest power of ten in 64 bits.
static constexpr unsigned maxDecimals = 19;

static uint64_t powerOfTen(unsigned exponent) {
  uint64_t power = 1;
  for (; exponent > 0; --exponent)
    power *= 10;
  return power;
}

static TimeScale reduced(uint64_t nanoseconds, uint64_t counts) {
  uint64_t common = std::max<uint64_t>(std::gcd(nanoseconds, counts), 1);
  return TimeScale(nanoseconds / common, counts / common);
}

/// `digits * 10^exponent`; nothing if that is not a fraction of two 64-bit numbers.
static std::optional<TimeScale> decimalFraction(StringRef digits, int64_t exponent) {
  StringRef significant = digits.rtrim('0');
  exponent += int64_t(digits.size() - significant.size());
  uint64_t number;
  if (significant.empty() || significant.getAsInteger(10, number) ||
      exponent < -int64_t(maxDecimals) || exponent > int64_t(maxDecimals))
    return std::nullopt;
  uint64_t power = powerOfTen(unsigned(std::abs(exponent)));
  if (exponent < 0)
    return reduced(number, power);
  bool overflows = false;
  number = SaturatingMultiply(number, power, &overflows);
  return overflows ? std::nullopt : std::optional(TimeScale(number));
}

/// The exact value of a decimal: digits with a point and an exponent. Nothing for other text, or if
/// it is not a fraction of two 64-bit numbers.
static std::optional<TimeScale> parseDecimal(StringRef text) {
  size_t exponentAt = text.find_first_of("eE");
  int64_t exponent = 0;
  if (exponentAt != StringRef::npos) {
    StringRef number = text.substr(exponentAt + 1);
    number.consume_front("+");
    if (number.getAsInteger(10, exponent) || std::abs(exponent) > 1000)
      return std::nullopt;
  }
  auto [whole, decimals] = text.take_front(exponentAt).split('.');
  std::string digits = (whole + decimals).str();
  if (!all_of(digits, isDigit))
    return std::nullopt;
  return decimalFraction(StringRef(digits).ltrim('0'), exponent - int64_t(decimals.size()));
}

/// Converts a double within the range of 64-bit fractions, exact to all of its 53 bits.
static TimeScale nearestFraction(double value) {
  int exponent;
  auto mantissa = uint64_t(std::ldexp(std::frexp(value, &exponent), 53));
  exponent -= 53;
  int zeros = countr_zero(mantissa);
  mantissa >>= zeros;
  exponent += zeros;
  if (exponent >= 0)
    return TimeScale(mantissa << exponent);
  if (exponent > -64)
    return TimeScale(mantissa, uint64_t(1) << -exponent);
  // The denominator absorbs the rounding: it has at least 62 bits.
  double numerator = std::max(1.0, std::floor(std::ldexp(value, 63)));
  return reduced(uint64_t(numerator), uint64_t(std::round((long double)(numerator) / value)));
}

static std::optional<TimeScale> parseFraction(StringRef numerator, StringRef denominator) {
  uint64_t nanoseconds, counts;
  if (!all_of(numerator, isDigit) || !all_of(denominator, isDigit) ||
      numerator.getAsInteger(10, nanoseconds) || denominator.getAsInteger(10, counts))
    return std::nullopt;
  return reduced(nanoseconds, counts);
}

/// StringRef accepts an exponent without digits as 0.
static bool isNumber(StringRef text) {
  return !text.empty() && !StringRef("eEpP+-").contains(text.back());
}

Expected<TimeScale> TimeScale::parse(StringRef text) {
  std::optional<TimeScale> scale;
  double value = 0;
  if (text.contains('/')) {
    auto [numerator, denominator] = text.split('/');
    scale = parseFraction(numerator, denominator);
  } else if (isNumber(text) && !text.getAsDouble(value) && std::isfinite(value)) {
    scale = value == 0 ? TimeScale(0) : parseDecimal(text);
    if (!scale && !(value >= leastRate && value < rateLimit))
      return makeError("'" + text + "' is not a clock rate: a count takes from 2^-63 to 2^64 ns");
    if (!scale)
      scale = nearestFraction(value);
  }
  if (!scale)
    return makeError("'" + text +
                     "' is not a number of nanoseconds a count (a number like 0.4 or 4e-1, or a "
                     "fraction of whole numbers like 125/3)");
  if (scale->nanoseconds_ == 0 || scale->counts_ == 0)
    return makeError("'" + text + "' is not a rate: neither a count nor a nanosecond may take 0");
  return *scale;
}

std::string TimeScale::toString() const {
  unsigned decimals = 0;
  uint64_t unit = 1;
  for (; unit % counts_ != 0 && decimals < maxDecimals; ++decimals)
    unit *= 10;
  __extension__ using Wide = unsigned __int128;
  Wide number = Wide(nanoseconds_) * unit / counts_;
  // parse() limits all digits together to a 64-bit number.
  if (unit % counts_ != 0 || number > UINT64_MAX)
    return (Twine(nanoseconds_) + "/" + Twine(counts_)).str();
  std::string text = std::to_string(uint64_t(number) / unit);
  if (decimals == 0)
    return text;
  std::string digits = std::to_string(uint64_t(number) % unit);
  return text.append(1, '.').append(decimals - digits.size(), '0').append(digits);
}

uint64_t TimeScale::toCounts(uint64_t nanoseconds) const {
  __extension__ using Wide = unsigned __int128;
  Wide result = (Wide(nanoseconds) * counts_ + nanoseconds_ - 1) / nanoseconds_;
  return result > UINT64_MAX ? UINT64_MAX : uint64_t(result);
}
