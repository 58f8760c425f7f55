//===- FuelCheck.h - Calls the host when fuel reaches a bound -------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_INSTRUMENT_FUELCHECK_H
#define WARPO_LIB_INSTRUMENT_FUELCHECK_H

#include "warpo/Instrument/Instrumentation.h"

namespace warpo {

/// A bound kept in a counter. It is 0 at first, so that the first check asks for a bound.
class FuelCheck {
public:
  /// For a module that counts fuel.
  llvm::Error declare(ModuleDeclarations &declarations, wasm::Counter bound);
  /// For a module that does not count: a timer of the host sets the bound to 0.
  llvm::Error declareTimed(ModuleDeclarations &declarations, wasm::Counter bound);

  /// Appends `if (fuel >= bound) bound = ask(fuel)`, signed, or `if (bound == 0) bound = ask(0)`.
  void append(wasm::FunctionRef ask, wasm::CodeSequence &code) const;

  /// The same with an unused id in front of the call, for readers of the code.
  void appendWithId(wasm::FunctionRef ask, int32_t id, wasm::CodeSequence &code) const;

private:
  void appendCondition(wasm::CodeSequence &code) const;

  wasm::GlobalRef fuel_;
  wasm::GlobalRef bound_;
  bool isTimed_ = false;
};

} // namespace warpo

#endif
