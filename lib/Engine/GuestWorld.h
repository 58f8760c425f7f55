//===- GuestWorld.h - The time and the chance that a program sees ---------===//
// SPDX-License-Identifier: Apache-2.0
//
// All that a program can learn of the machine besides its input. Either it is the machine's, or it
// is the same in each run: then js/host/fixed-world.mjs gives the programs in V8 the same values.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_LIB_ENGINE_GUESTWORLD_H
#define WARPO_LIB_ENGINE_GUESTWORLD_H

#include "llvm/ADT/ArrayRef.h"
#include <cstdint>
#include <memory>
#include <optional>

namespace warpo {

/// The clocks of WASI, by its numbers for them.
enum class GuestClock : uint32_t { wall = 0, monotonic = 1, process = 2, thread = 3 };

class GuestWorld {
public:
  virtual ~GuestWorld();

  /// Nanoseconds, of the wall clock since 1970; nothing if there is no such clock.
  virtual std::optional<uint64_t> now(GuestClock clock) = 0;
  /// Nanoseconds from one value to the next.
  virtual std::optional<uint64_t> resolution(GuestClock clock) = 0;
  /// False if the machine has no random numbers to give.
  virtual bool fillRandom(llvm::MutableArrayRef<uint8_t> bytes) = 0;
  /// Whether a program may learn what its standard streams are connected with.
  virtual bool showsStreams() const = 0;

  static std::unique_ptr<GuestWorld> ofMachine();
  /// Each look at a clock moves all of them on by a millisecond. The wall clock begins at 10^9
  /// seconds, the others at 0. Random numbers are SplitMix64's from the state 0: 8 bytes, little
  /// endian, for each 8 or fewer that are asked for.
  static std::unique_ptr<GuestWorld> fixed();
};

} // namespace warpo

#endif
