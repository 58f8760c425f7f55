//===- Gain.h - The gain in time ------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_TOOLING_GAIN_H
#define WARPO_TOOLING_GAIN_H

#include <vector>

namespace warpo {

/// Shares of the previous time; negative if it has increased.
struct Gain {
  double median = 0;
  /// The interval that contains the true median with a probability of at least 95 %.
  double least = 0;
  double most = 0;
};

/// The gain of at least 6 rounds, from the gain in each. Does not assume a distribution: the
/// interval is between two of the values (sign test).
Gain gainOf(std::vector<double> rounds);

} // namespace warpo

#endif
