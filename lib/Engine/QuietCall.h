//===- QuietCall.h - A call that is not the program's ---------------------===//

#ifndef WARPO_LIB_ENGINE_QUIETCALL_H
#define WARPO_LIB_ENGINE_QUIETCALL_H

#include "warpo/Engine/GuestStack.h"

namespace warpo {

/// While it lives, what instances count is not their own: it is given back at the end. They ask for
/// no samples, and are not stopped by a limit of fuel but by one of this call's. Whoever makes it
/// keeps their trace points from being recorded.
class QuietCall {
public:
  /// All instances of the program that are complete, which must outlive this.
  explicit QuietCall(llvm::ArrayRef<StoppedInstance *> instances);
  QuietCall(const QuietCall &) = delete;
  QuietCall &operator=(const QuietCall &) = delete;
  ~QuietCall();

  /// builtin.sample: when an instance that counts so much is to ask again; nothing if this is more
  /// than any such call needs, and it has to end with the message `tooMuch`.
  static std::optional<uint64_t> sample(uint64_t fuel) {
    return fuel < mostFuel ? std::optional(mostFuel) : std::nullopt;
  }
  static constexpr llvm::StringLiteral tooMuch = "it has burnt 4194304 units of fuel";

private:
  struct Counter {
    StoppedInstance *instance;
    llvm::StringRef name;
    uint64_t bits;
  };
  static constexpr uint64_t mostFuel = 4194304;

  llvm::SmallVector<Counter, 6> counters_;
};

} // namespace warpo

#endif
