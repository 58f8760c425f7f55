//===- Quantities.cpp -----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Output/Quantities.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>
#include <limits>

using namespace llvm;
using namespace warpo;

std::string warpo::groupDigits(uint64_t number) {
  std::string digits = utostr(number);
  for (size_t i = digits.size(); i > 3;)
    digits.insert(i -= 3, 1, ',');
  return digits;
}

// Integers throughout: a double would round 999.96 to a fifth digit.
std::string warpo::formatTime(uint64_t nanoseconds) {
  static constexpr StringLiteral units[] = {"ns", "us", "ms", "s"};
  size_t unit = 0;
  uint64_t scale = 1;
  for (; unit < 3 && nanoseconds / scale >= 1000; ++unit)
    scale *= 1000;
  uint64_t whole = nanoseconds / scale;
  std::string result = groupDigits(whole);
  if (scale > 1 && whole < 1000) {
    std::string fraction = utostr(nanoseconds % scale);
    fraction.insert(size_t(0), 3 * unit - fraction.size(), '0');
    fraction.resize(4 - result.size());
    result += '.';
    result += fraction;
  }
  result += ' ';
  return result + units[unit].str();
}

std::string warpo::formatWeight(uint64_t weight, StringRef unit) {
  if (unit == "ns")
    return formatTime(weight);
  if (weight == 1)
    unit.consume_back("s");
  return groupDigits(weight) + " " + unit.str();
}

std::optional<double> warpo::ratioOf(uint64_t part, uint64_t other) {
  if (other == 0)
    return part == 0 ? std::nullopt : std::optional(std::numeric_limits<double>::infinity());
  return double(part) / double(other);
}

std::string warpo::ratioUnit(StringRef unit, StringRef otherUnit) {
  otherUnit.consume_back("s");
  return (unit + " per " + otherUnit).str();
}

std::string warpo::formatRatio(double ratio, StringRef unit) {
  if (std::isinf(ratio))
    return "\u221e";
  std::string text;
  if (ratio >= 999.5)
    text = groupDigits(uint64_t(std::min(std::round(ratio), 0x1p63)));
  else
    raw_string_ostream(text) << format(ratio >= 99.95    ? "%.0f"
                                       : ratio >= 9.995  ? "%.1f"
                                       : ratio >= 0.9995 ? "%.2f"
                                                         : "%.3g",
                                       ratio);
  return unit.empty() ? text : text + " " + unit.str();
}

std::string warpo::formatShare(uint64_t part, uint64_t whole) {
  if (part == 0 || whole == 0)
    return "0 %";
  if (part >= whole)
    return "100 %";
  // Must not round up to 100.
  double percent = std::min(double(part) / double(whole) * 100, 99.9);
  if (percent < 0.1)
    return "<0.1 %";
  std::string result;
  raw_string_ostream(result) << format("%.1f %%", percent);
  return result;
}
