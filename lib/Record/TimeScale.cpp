//===- TimeScale.cpp ------------------------------------------------------===//

#include "warpo/Record/TimeScale.h"
#include "warpo/Support/Errors.h"
#include "llvm/ADT/StringExtras.h"
#include <numeric>
#include <optional>

using namespace llvm;
using namespace warpo;

static constexpr size_t maxDecimalDigits = 9;
static constexpr size_t maxFractionDigits = 18;

/// A number of 1 to `maxDigits` digits and nothing else.
static std::optional<uint64_t> parseDigits(StringRef text, size_t maxDigits) {
  uint64_t value = 0;
  if (text.empty() || text.size() > maxDigits || !all_of(text, isDigit) ||
      text.getAsInteger(10, value))
    return std::nullopt;
  return value;
}

Expected<TimeScale> TimeScale::parse(StringRef text) {
  bool isFraction = text.contains('/');
  auto [first, second] = text.split(isFraction ? '/' : '.');
  size_t maxDigits = isFraction ? maxFractionDigits : maxDecimalDigits;
  std::optional<uint64_t> numerator = parseDigits(first, maxDigits);
  std::optional<uint64_t> denominator = 1;
  if (isFraction) {
    denominator = parseDigits(second, maxDigits);
  } else if (text.contains('.')) {
    std::optional<uint64_t> decimals = parseDigits(second, maxDigits);
    for (size_t i = 0; i < second.size() && decimals; ++i)
      *denominator *= 10;
    if (numerator && decimals)
      numerator = *numerator * *denominator + *decimals;
    else
      numerator = std::nullopt;
  }
  if (!numerator || !denominator)
    return makeError("'" + text +
                     "' is not a number of nanoseconds a count (a decimal like 0.4, of at most 9 "
                     "digits before and after the point, or a fraction like 125/3)");
  if (*numerator == 0 || *denominator == 0)
    return makeError("'" + text + "' is no rate: neither a count nor a nanosecond may take 0");
  uint64_t common = std::gcd(*numerator, *denominator);
  return TimeScale(*numerator / common, *denominator / common);
}

std::string TimeScale::toString() const {
  uint64_t unit = 1;
  size_t decimals = 0;
  for (; unit % counts_ != 0 && decimals < maxDecimalDigits; ++decimals)
    unit *= 10;
  __extension__ using Wide = unsigned __int128;
  Wide whole = Wide(nanoseconds_) / counts_;
  if (unit % counts_ != 0 || whole >= 1000000000)
    return (Twine(nanoseconds_) + "/" + Twine(counts_)).str();
  std::string text = std::to_string(uint64_t(whole));
  if (decimals == 0)
    return text;
  std::string digits = std::to_string(uint64_t(Wide(nanoseconds_ % counts_) * unit / counts_));
  return text.append(1, '.').append(decimals - digits.size(), '0').append(digits);
}

uint64_t TimeScale::toCounts(uint64_t nanoseconds) const {
  __extension__ using Wide = unsigned __int128;
  Wide result = (Wide(nanoseconds) * counts_ + nanoseconds_ - 1) / nanoseconds_;
  return result > UINT64_MAX ? UINT64_MAX : uint64_t(result);
}
