//===- OutputOrigin.h - What is said of a whole output --------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_OUTPUT_OUTPUTORIGIN_H
#define WARPO_OUTPUT_OUTPUTORIGIN_H

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace warpo {

/// A label that the user gives the input, such as `host` and `web-3`. The key is not empty.
struct OutputLabel {
  std::string key;
  std::string value;
};

/// Nanoseconds since 1970 (UTC).
struct TimeWindow {
  uint64_t begin;
  uint64_t end;
};

/// Where and when the data of an output was recorded.
struct OutputOrigin {
  /// In the order given, with unique keys.
  std::vector<OutputLabel> labels = {};
  /// From the begin of the first to the end of the last data shown; nothing if one of the inputs
  /// has no wall-clock time.
  std::optional<TimeWindow> window = std::nullopt;
};

} // namespace warpo

#endif
