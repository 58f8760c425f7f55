//===- ReadingWindow.cpp --------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "ReadingWindow.h"
#include "warpo/Support/Errors.h"

using namespace llvm;
using namespace warpo;

Expected<uint64_t> warpo::parseTime(StringRef text, std::optional<TimeScale> scale,
                                    StringRef option) {
  static constexpr std::pair<StringLiteral, uint64_t> units[] = {
      {"ns", 1}, {"us", 1000}, {"ms", 1000000}, {"s", 1000000000}};
  auto malformed = [&] {
    return makeError("--" + option + "=" + text +
                     ": not a time (as in 1.5s, 20ms, 300us, 40ns, or counts without a unit)");
  };
  StringRef number = text;
  for (const auto &[unit, nanoseconds] : units) {
    if (!number.consume_back(unit))
      continue;
    if (!scale)
      return makeError("--" + option + "=" + text +
                       ": the record does not say how long a count is; give --rate, or counts "
                       "without a unit");
    double value;
    if (number.getAsDouble(value) || !(value >= 0) || value * double(nanoseconds) > 9.2e18)
      return malformed();
    return scale->toCounts(uint64_t(value * double(nanoseconds) + 0.5));
  }
  uint64_t counts;
  if (number.getAsInteger(10, counts))
    return malformed();
  return counts;
}

Expected<uint64_t> warpo::parseWindow(StringRef text, StringRef option) {
  auto length = parseTime(text, TimeScale(), option);
  if (length && (*length == 0 || !text.ends_with("s")))
    return makeError("--" + option + "=" + text + ": expected a time with a unit, as in 10s");
  return length;
}

static Error parseSlices(StringRef text, WindowLimits &limits) {
  auto [first, last] = text.split("..");
  uint64_t firstSlice = 1;
  uint64_t lastSlice = UINT64_MAX;
  bool isRange = text.contains("..");
  bool malformed = (!first.empty() && first.getAsInteger(10, firstSlice)) ||
                   (!last.empty() && last.getAsInteger(10, lastSlice)) || text.empty() ||
                   firstSlice == 0;
  if (!isRange)
    lastSlice = firstSlice;
  if (malformed || lastSlice < firstSlice)
    return makeError("--slices=" + text +
                     ": not a range of slices (as in 3..5, 3.., ..5 or 3; the "
                     "first is 1)");
  limits.firstSlice = firstSlice;
  limits.lastSlice = lastSlice;
  return Error::success();
}

Expected<WindowLimits> warpo::windowOf(const ReadingOptions &options,
                                       std::optional<TimeScale> scale) {
  WindowLimits limits;
  auto readTime = [&](const cl::opt<std::string> &option, std::optional<uint64_t> &limit) -> Error {
    if (!given(option))
      return Error::success();
    auto counts = parseTime(option, scale, option.ArgStr);
    if (!counts)
      return counts.takeError();
    limit = *counts;
    return Error::success();
  };
  if (Error error = readTime(options.from, limits.from))
    return error;
  if (Error error = readTime(options.to, limits.to))
    return error;
  if (limits.from && limits.to && *limits.to < *limits.from)
    return makeError("--to=" + options.to + " lies before --from=" + options.from);
  if (given(options.slices))
    if (Error error = parseSlices(options.slices, limits))
      return error;
  return limits;
}
