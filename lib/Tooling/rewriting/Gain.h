//===- Gain.h - How much less time something takes ------------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_TOOLING_GAIN_H
#define WARPO_TOOLING_GAIN_H

#include <vector>

namespace warpo {

/// A share of the time before; negative where it takes longer.
struct Gain {
  double median = 0;
  /// The interval that holds the true median in at least 95 of 100 cases.
  double least = 0;
  double most = 0;
};

/// Of what was gained in each round, whose number is 6 at least. Nothing is assumed of how times
/// are distributed: the interval is between two of the values (those of the sign test).
Gain gainOf(std::vector<double> rounds);

} // namespace warpo

#endif
