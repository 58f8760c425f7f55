//===- FuelCheck.h - Asks the host when fuel has reached a bound ----------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_INSTRUMENT_FUELCHECK_H
#define WARPO_LIB_INSTRUMENT_FUELCHECK_H

#include "warpo/Instrument/Instrumentation.h"

namespace warpo {

/// A bound in a counter. It begins with 0, so that the first check asks for one.
class FuelCheck {
public:
  /// For a module that counts fuel.
  llvm::Error declare(ModuleDeclarations &declarations, wasm::Counter bound);
  /// For one that counts nothing: whoever has a timer sets the bound to 0.
  llvm::Error declareTimed(ModuleDeclarations &declarations, wasm::Counter bound);

  /// Appends `if (fuel >= bound) bound = ask(fuel)`, signed, or `if (bound == 0) bound = ask(0)`.
  void append(wasm::FunctionRef ask, wasm::CodeSequence &code) const;

  /// The same with an id in front of the call, which is not passed: for those who read the code.
  void appendWithId(wasm::FunctionRef ask, int32_t id, wasm::CodeSequence &code) const;

private:
  void appendCondition(wasm::CodeSequence &code) const;

  wasm::GlobalRef fuel_;
  wasm::GlobalRef bound_;
  bool isTimed_ = false;
};

} // namespace warpo

#endif
