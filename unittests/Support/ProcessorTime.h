//===- ProcessorTime.h - What work costs, for tests of how it grows -------===//
// SPDX-License-Identifier: Apache-2.0
//
// For comparisons with other work in the same process, by generous factors: the machine may be slow
// or busy.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_UNITTESTS_SUPPORT_PROCESSORTIME_H
#define WARPO_UNITTESTS_SUPPORT_PROCESSORTIME_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include <algorithm>
#include <ctime>

namespace warpo::test {

/// In seconds of the processor; of several times the shortest.
inline double costOf(llvm::function_ref<void()> work) {
  double shortest = 1e9;
  for (int i = 0; i < 5; ++i) {
    std::clock_t begin = std::clock();
    work();
    shortest = std::min(shortest, double(std::clock() - begin) / CLOCKS_PER_SEC);
  }
  return shortest;
}

} // namespace warpo::test

#endif
