//===- Gain.cpp -----------------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "Gain.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace warpo;

// The number of values at each end that are outside of the interval: the largest for which the
// binomial probability of a fair coin is below 2.5 %.
static size_t valuesOutside(size_t count) {
  double share = std::pow(0.5, double(count)), sum = share;
  size_t outside = 0;
  while (sum <= 0.025 && outside + 1 < count / 2) {
    ++outside;
    share *= double(count - outside + 1) / double(outside);
    sum += share;
  }
  return outside == 0 ? 0 : outside - 1;
}

Gain warpo::gainOf(std::vector<double> rounds) {
  llvm::sort(rounds);
  size_t count = rounds.size(), outside = valuesOutside(count);
  return {(rounds[(count - 1) / 2] + rounds[count / 2]) / 2, rounds[outside],
          rounds[count - 1 - outside]};
}
