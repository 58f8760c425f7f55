//===- GuestWorld.h - Clocks and random numbers of programs ---------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Everything that a program can learn about the machine besides its input. Either that of the
// machine, or the same in each run: then js/host/fixed-world.mjs provides the same values in V8.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_LIB_ENGINE_GUESTWORLD_H
#define WARPO_LIB_ENGINE_GUESTWORLD_H

#include "llvm/ADT/ArrayRef.h"
#include <cstdint>
#include <memory>
#include <optional>

namespace warpo {

/// The clocks of WASI and their numbers.
enum class GuestClock : uint32_t { wall = 0, monotonic = 1, process = 2, thread = 3 };

class GuestWorld {
public:
  virtual ~GuestWorld();

  /// Nanoseconds, for the wall clock since 1970; nothing if there is no such clock.
  virtual std::optional<uint64_t> now(GuestClock clock) = 0;
  /// Nanoseconds between successive values.
  virtual std::optional<uint64_t> resolution(GuestClock clock) = 0;
  /// Returns false if the machine cannot provide random numbers.
  virtual bool fillRandom(llvm::MutableArrayRef<uint8_t> bytes) = 0;
  /// Whether a program may learn what its standard streams are connected to.
  virtual bool showsStreams() const = 0;

  static std::unique_ptr<GuestWorld> ofMachine();
  /// Each reading of a clock advances all clocks by a millisecond. The wall clock begins at 10^9
  /// seconds, the others at 0. Random numbers are those of SplitMix64 from state 0: one number,
  /// little endian, for each 8 requested bytes or less.
  static std::unique_ptr<GuestWorld> fixed();
};

} // namespace warpo

#endif
