//===- FuelCheck.h - Asks the host when fuel has reached a bound ----------===//

#ifndef WARPO_LIB_INSTRUMENT_FUELCHECK_H
#define WARPO_LIB_INSTRUMENT_FUELCHECK_H

#include "warpo/Instrument/Instrumentation.h"

namespace warpo {

/// A bound in a global that the host sees. It begins with 0, so that the first check asks for one.
class FuelCheck {
public:
  /// `call` is told the fuel and gives the next bound.
  llvm::Error declare(ModuleDeclarations &declarations, llvm::StringRef exportName,
                      wasm::HostCall call);

  /// Appends `if (fuel >= bound) bound = call(fuel)`, signed.
  void append(wasm::CodeSequence &code) const;

  /// The same where runs begin at which a program that goes on must pass by: entries, heads of
  /// loops.
  void appendAt(const wasm::RunSite &run, wasm::CodeSequence &code) const {
    if (run.place != wasm::RunPlace::elsewhere)
      append(code);
  }

private:
  wasm::GlobalRef fuel_;
  wasm::GlobalRef bound_;
  wasm::FunctionRef call_;
};

} // namespace warpo

#endif
