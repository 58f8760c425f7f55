//===- CodeOrigins.h - Where the code of the result comes from ------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_INSTRUMENT_CODEORIGINS_H
#define WARPO_LIB_INSTRUMENT_CODEORIGINS_H

#include "warpo/Instrument/ModuleInstrumenter.h"
#include "warpo/Wasm/CodeMovements.h"

namespace warpo {

/// The places of functions in their sources, and the ways from the code that is written to that of
/// the original: as sections of the result and as its source map, if they are wanted.
class CodeOrigins {
public:
  /// Keeps references to all three. `needsMap`: whether an instrumentation needs to know where the
  /// code of the original is.
  CodeOrigins(const wasm::Module &module, const InstrumentOptions &options, bool needsMap,
              InstrumentedModule &result)
      : module_(module), options_(options), needsMap_(needsMap), result_(result) {}

  /// Finds the places of the result's functions, which have their ids already.
  llvm::Error locate();
  /// To be filled in by who writes the code; null if that is not wanted.
  wasm::CodeMovements *movements() {
    return movesSourceMap() || mapsCode() ? &movements_ : nullptr;
  }
  /// Appends the sections to the result, and moves the source map.
  llvm::Error append();

private:
  bool movesSourceMap() const { return options_.sourceMap && !options_.newSourceMapUrl.empty(); }
  bool mapsCode() const { return (places_ || needsMap_) && options_.mapsCode; }
  llvm::Error follow();
  void appendMap(const CodeMap &map);
  void appendPlaces(ModulePlaces places);

  const wasm::Module &module_;
  const InstrumentOptions &options_;
  bool needsMap_;
  InstrumentedModule &result_;
  /// What the result is to have of them.
  std::optional<ModulePlaces> places_;
  wasm::CodeMovements movements_;
};

} // namespace warpo

#endif
