//===- Counters.h - What instrumented code counts with --------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Each counter is a global of the module, a mutable i64 that begins with 0. It is none of the
// module's exports: older glue of Emscripten takes every exported global for an address. Hosts read
// and set it by two exported functions. Those that have to reach it from outside of the program's
// thread, as timers do, have the global exported instead.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_WASM_COUNTERS_H
#define WARPO_WASM_COUNTERS_H

#include "warpo/Wasm/Module.h"
#include <optional>

namespace warpo::wasm {

enum class Counter : uint8_t {
  fuel,      ///< what has been burnt
  fuelLimit, ///< where to ask outOfFuel
  sampleDue, ///< where to ask for a sample
  recording, ///< whether calls are reported: odd while they are not
};

struct CounterInfo {
  Counter counter;
  /// The exports: functions of types () -> i64 and (i64) -> (), or the global.
  llvm::StringLiteral getter;
  llvm::StringLiteral setter;
  llvm::StringLiteral global;
};

/// All of them, in the order of the enumeration.
llvm::ArrayRef<CounterInfo> counters();
inline const CounterInfo &counterInfo(Counter counter) { return counters()[size_t(counter)]; }

/// The index of the global that a counter of the module is, known by its export or by the code of
/// the function that reads it; nothing if the module has no such counter of its own.
std::optional<uint32_t> findCounter(const Module &module, Counter counter);

} // namespace warpo::wasm

#endif
