//===- CodeOrigins.h - Where the code of the result comes from ------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_INSTRUMENT_CODEORIGINS_H
#define WARPO_LIB_INSTRUMENT_CODEORIGINS_H

#include "warpo/Instrument/ModuleInstrumenter.h"
#include "warpo/Wasm/CodeMovements.h"

namespace warpo {

/// Source places of functions, and the map from rewritten code to the original: written as sections
/// of the result and as its source map, if requested.
class CodeOrigins {
public:
  /// Keeps references to `module`, `options` and `result`. `needsMap`: whether an instrumentation
  /// needs the map.
  CodeOrigins(const wasm::Module &module, const InstrumentOptions &options, bool needsMap,
              InstrumentedModule &result)
      : module_(module), options_(options), needsMap_(needsMap), result_(result) {}

  /// Finds the places of the result's functions, which must already have their ids.
  llvm::Error locate();
  /// To be filled in when the code is written; null if not needed.
  wasm::CodeMovements *movements() {
    return movesSourceMap() || mapsCode() ? &movements_ : nullptr;
  }
  /// Appends the sections to the result and rewrites the source map.
  llvm::Error append();

private:
  bool movesSourceMap() const { return options_.sourceMap && !options_.newSourceMapUrl.empty(); }
  bool mapsCode() const { return (places_ || needsMap_) && !options_.willBeOptimized; }
  llvm::Error follow();
  void appendMap();
  void appendPlaces(ModulePlaces places);

  const wasm::Module &module_;
  const InstrumentOptions &options_;
  bool needsMap_;
  InstrumentedModule &result_;
  /// The places to be written.
  std::optional<ModulePlaces> places_;
  wasm::CodeMovements movements_;
};

} // namespace warpo

#endif
