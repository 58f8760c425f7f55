//===- Interruptions.h - What is no time of the program's own -------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Chosen on traces of four programs (docs/benchmarks.md, "What each way says of a program", names
// them and how far off the results are); no other program has confirmed them.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_LIB_RECORD_INTERRUPTIONS_H
#define WARPO_LIB_RECORD_INTERRUPTIONS_H

#include <cstdint>

namespace warpo {

/// What lasts more than so many times as long as usual took another path, or was interrupted. The
/// factor is large as cache misses alone make a short call tens of times as long.
inline constexpr uint64_t longTimes = 64;
/// It was interrupted if it lasted this long: schedulers give the processor to another thread for
/// milliseconds, and a function that usually takes far less rarely works for that long.
inline constexpr uint64_t sliceNanoseconds = 1000000;

} // namespace warpo

#endif
