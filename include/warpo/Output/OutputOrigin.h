//===- OutputOrigin.h - What is said of a whole output --------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_OUTPUT_OUTPUTORIGIN_H
#define WARPO_OUTPUT_OUTPUTORIGIN_H

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace warpo {

/// Something that the user says of the input, as `host` and `web-3`. The key is not empty.
struct OutputLabel {
  std::string key;
  std::string value;
};

/// Nanoseconds since 1970 (UTC).
struct TimeWindow {
  uint64_t begin;
  uint64_t end;
};

/// Where what an output shows was recorded, and when.
struct OutputOrigin {
  /// In the order in which they were given, with different keys.
  std::vector<OutputLabel> labels = {};
  /// From the beginning of the first to the end of the last of what is shown; nothing if one of the
  /// inputs does not say when it was recorded.
  std::optional<TimeWindow> window = std::nullopt;
};

} // namespace warpo

#endif
