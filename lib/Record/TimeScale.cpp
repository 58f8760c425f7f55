//===- TimeScale.cpp ------------------------------------------------------===//

#include "warpo/Record/TimeScale.h"
#include "warpo/Support/Errors.h"
#include "llvm/ADT/StringExtras.h"
#include <numeric>

using namespace llvm;
using namespace warpo;

Expected<TimeScale> TimeScale::parse(StringRef text) {
  constexpr size_t maxDigits = 9;
  auto [whole, fraction] = text.split('.');
  bool digitsOnly = all_of(whole, isDigit) && all_of(fraction, isDigit);
  if (!digitsOnly || whole.empty() || whole.size() > maxDigits || fraction.size() > maxDigits ||
      text.ends_with("."))
    return makeError("'" + text +
                     "' is not a number of nanoseconds a count (a decimal like 0.4, of at most 9 "
                     "digits before and after the point)");
  uint64_t numerator = 0;
  uint64_t denominator = 1;
  for (char digit : whole)
    numerator = numerator * 10 + uint64_t(digit - '0');
  for (char digit : fraction) {
    numerator = numerator * 10 + uint64_t(digit - '0');
    denominator *= 10;
  }
  if (numerator == 0)
    return makeError("a rate of 0 ns a count leaves no time to show");
  uint64_t common = std::gcd(numerator, denominator);
  return TimeScale(numerator / common, denominator / common);
}

uint64_t TimeScale::toCounts(uint64_t nanoseconds) const {
  __extension__ using Wide = unsigned __int128;
  Wide result = (Wide(nanoseconds) * counts_ + nanoseconds_ - 1) / nanoseconds_;
  return result > UINT64_MAX ? UINT64_MAX : uint64_t(result);
}
