//===- ModuleInstrumenter.h - Instruments a module in memory --------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The core of warpo-instrument, without files: takes bytes, returns bytes and a report.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_INSTRUMENT_MODULEINSTRUMENTER_H
#define WARPO_INSTRUMENT_MODULEINSTRUMENTER_H

#include "warpo/Instrument/FunctionSelection.h"
#include "warpo/Instrument/Instrumentation.h"
#include "warpo/Places/ModulePlaces.h"
#include "warpo/Wasm/ModuleEditor.h"
#include "warpo/Wasm/ModuleIdentity.h"
#include "warpo/Wasm/SourceMap.h"
#include "warpo/Wasm/SymbolFile.h"
#include "llvm/Support/Allocator.h"
#include <functional>

namespace warpo {

/// How frames are closed that an exception leaves: see wasm::ExceptionForm. `automatic` is the form
/// that the module uses. If it uses none, that is legacy, as its host may throw through it.
enum class Unwinding : uint8_t { automatic, none, legacy, exnref };

struct FunctionReport;

struct InstrumentOptions {
  /// Registered names, each at most once, in the order in which they run.
  std::vector<std::string> instrumentations = {"trace"};
  /// Options of the instrumentations.
  std::vector<GivenOption> given;
  /// Whether to export counters as globals rather than by functions that read and set them.
  bool exportCounters = false;
  /// Used if an instrumentation counts fuel.
  wasm::FuelCosts fuelCosts;
  SelectionOptions selection;
  /// Returns the indices of selected functions to leave out after all; may be empty.
  std::function<llvm::Expected<std::vector<uint32_t>>(const wasm::Module &,
                                                      llvm::ArrayRef<FunctionReport>)>
      leaveOut;
  /// Whether to compute FunctionReport::bodyHash.
  bool hashBodies = false;
  /// Default: see ModuleIdentity.
  std::optional<uint64_t> moduleId;
  wasm::CustomSectionPolicy customSections;
  Unwinding unwinding = Unwinding::automatic;
  /// Whether calls of imported functions go through instrumented thunks. Otherwise the code stands
  /// at each call, as in WARPO.
  bool importThunks = true;
  /// Returns names of functions to be added to the module; may be empty.
  std::function<llvm::Expected<wasm::SymbolFile>(const wasm::Module &)> symbols;
  /// Finds the source places of the module's code; empty if they are not wanted.
  std::function<llvm::Expected<ModulePlaces>(const wasm::Module &)> locate;
  /// Whether to add the places as a section.
  bool writesPlaces = true;
  /// Whether the result will be optimised: then that section does not map its code, and functions
  /// are recognised only by code that stays.
  bool willBeOptimized = false;
  /// The module's source map if it is to be rewritten. Must outlive the call.
  const wasm::SourceMap *sourceMap = nullptr;
  /// The URL of the rewritten source map, which the module will refer to. If empty, no map is made
  /// and the module refers to none.
  std::string newSourceMapUrl;
};

/// One function of the original.
struct FunctionReport {
  /// Owned by the InstrumentedModule.
  llvm::StringRef name;
  /// 0 if the function is not instrumented.
  int32_t id = 0;
  /// Its index in the original.
  uint32_t index = 0;
  /// Its index in the result; nothing if optimising has removed the function or its index is
  /// unknown.
  std::optional<uint32_t> newIndex;
  /// The index of the thunk of an instrumented imported function, or nothing as for newIndex.
  std::optional<uint32_t> thunkIndex;
  /// Offset and size of the body in the original, from its local declarations on; 0 if imported.
  uint64_t codeOffset = 0;
  uint32_t codeSize = 0;
  /// See wasm::hashBody; 0 if imported or not requested.
  uint64_t bodyHash = 0;
  /// The place of its declaration or of the begin of its code: a line from 1 on, 0 if unknown, and
  /// a file as an index into InstrumentedModule::sources.
  uint32_t line = 0;
  uint32_t source = 0;
  Selection selection = Selection::taken;
  bool isImported = false;
};

/// A summary of the source places found.
struct PlacesReport {
  /// The name of the locator; empty if nothing was found.
  std::string origin;
  uint64_t functions = 0;
  /// The size of the section; 0 if it was not written.
  uint64_t bytes = 0;
  std::vector<llvm::StringRef> leftOut;
  std::vector<std::string> problems;
};

struct InstrumentedModule {
  llvm::SmallVector<uint8_t, 0> bytes;
  /// The mappings of the rewritten source map; empty if none was requested.
  std::string sourceMappings;
  wasm::ModuleIdentity identity;
  /// The module's name in the name section; may be empty.
  std::string name;
  /// All functions in the original's order.
  std::vector<FunctionReport> functions;
  llvm::BumpPtrAllocator functionNames;
  /// Source files, for FunctionReport::source.
  std::vector<std::string> sources;
  PlacesReport places;
  /// Warnings of the instrumentations.
  std::vector<std::string> warnings;
  wasm::EditStatistics statistics;
  /// Why the name section was dropped; empty if it was not.
  std::string damagedNames;
  wasm::ExceptionForm exceptionForm = wasm::ExceptionForm::none;
  /// Functions with code but without a name in the name section: named after an export, or
  /// numbered.
  uint32_t namedByExport = 0;
  uint32_t unnamed = 0;
  /// Imported functions whose references were not redirected to thunks, as the module could notice.
  uint32_t keptReferences = 0;
  uint64_t originalSize = 0;
  /// Whether code is inserted at entries and exits.
  bool editsFunctions = true;
  /// Nothing unless the module counts fuel.
  std::optional<wasm::FuelCosts> fuelCosts;
  /// The number of functions that record how they were entered; nothing if not requested.
  std::optional<uint32_t> markedFunctions;
};

/// The result does not refer to `bytes`.
llvm::Expected<InstrumentedModule> instrumentModule(llvm::ArrayRef<uint8_t> bytes,
                                                    llvm::StringRef fileName,
                                                    const InstrumentOptions &options);

} // namespace warpo

#endif
