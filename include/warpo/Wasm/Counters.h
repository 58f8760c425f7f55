//===- Counters.h - Counters of instrumented code -------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Each counter is a global of the module, a mutable i64 that is 0 at first. It is not exported,
// because older glue of Emscripten takes every exported global for an address. Hosts read and set
// it by two exported functions. For hosts that have to reach it from outside of the program's
// thread, as timers do, the global can be exported instead.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_WASM_COUNTERS_H
#define WARPO_WASM_COUNTERS_H

#include "warpo/Wasm/Module.h"
#include <optional>

namespace warpo::wasm {

enum class Counter : uint8_t {
  fuel,      ///< fuel used so far
  fuelLimit, ///< the fuel at which to call outOfFuel
  sampleDue, ///< the fuel at which the next sample is due
  recording, ///< odd while calls are not reported
};

struct CounterInfo {
  Counter counter;
  /// Names of exports: functions of types () -> i64 and (i64) -> (), or the global.
  llvm::StringLiteral getter;
  llvm::StringLiteral setter;
  llvm::StringLiteral global;
};

/// All counters, in the order of the enumeration.
llvm::ArrayRef<CounterInfo> counters();
inline const CounterInfo &counterInfo(Counter counter) { return counters()[size_t(counter)]; }

/// The index of a counter's global, found by its export or in the code of the getter. Nothing if
/// the module does not define such a counter.
std::optional<uint32_t> findCounter(const Module &module, Counter counter);

} // namespace warpo::wasm

#endif
