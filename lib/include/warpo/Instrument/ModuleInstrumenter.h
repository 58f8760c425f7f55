//===- ModuleInstrumenter.h - From a module to its instrumented form ------===//
// SPDX-License-Identifier: Apache-2.0
//
// The heart of warpo-instrument, without files: bytes in, bytes and what was done out.
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

/// How frames that an exception leaves are closed: see wasm::ExceptionForm. `automatic` is the form
/// that the module uses, and legacy for one that uses none, since its host may throw through it.
enum class Unwinding : uint8_t { automatic, none, legacy, exnref };

struct FunctionReport;

struct InstrumentOptions {
  /// Names of the registry, each once, in the order in which they run.
  std::vector<std::string> instrumentations = {"trace"};
  /// Of the instrumentations.
  std::vector<GivenOption> given;
  /// Whether the globals that count are exported, in place of functions that read and set them.
  bool exportCounters = false;
  /// What instructions cost, if anything counts fuel.
  wasm::FuelCosts fuelCosts;
  SelectionOptions selection;
  /// Which of the functions that were taken to leave out after all, by their indices; none: none of
  /// them.
  std::function<llvm::Expected<std::vector<uint32_t>>(const wasm::Module &,
                                                      llvm::ArrayRef<FunctionReport>)>
      leaveOut;
  /// Whether reports on functions have hashes of their bodies.
  bool hashBodies = false;
  /// Default: see ModuleIdentity.
  std::optional<uint64_t> moduleId;
  wasm::CustomSectionPolicy customSections;
  Unwinding unwinding = Unwinding::automatic;
  /// Calls of imported functions go through functions that trace; false: the code stands at each
  /// call, as WARPO has it.
  bool importThunks = true;
  /// Finds the names of functions that the module lacks, which the result then has; none: as the
  /// module says.
  std::function<llvm::Expected<wasm::SymbolFile>(const wasm::Module &)> symbols;
  /// Finds out where the module's code comes from; none: that is not wanted.
  std::function<llvm::Expected<ModulePlaces>(const wasm::Module &)> locate;
  /// Whether the result has that as a section.
  bool writesPlaces = true;
  /// Whether that section says where its code was in the original; of no use if the result will be
  /// changed.
  bool mapsCode = true;
  /// The module's source map, if its rewritten form is wanted. Must outlive the call.
  const wasm::SourceMap *sourceMap = nullptr;
  /// Where the rewritten source map will be found: the result gets that map, and the module this
  /// URL. Empty: the module names none any more.
  std::string newSourceMapUrl;
};

/// One function of the original.
struct FunctionReport {
  /// Kept by the InstrumentedModule.
  llvm::StringRef name;
  /// 0 if it is not instrumented.
  int32_t id = 0;
  /// In the original.
  uint32_t index = 0;
  /// In the result; nothing if optimising has removed the function, or nothing tells where it is.
  std::optional<uint32_t> newIndex;
  /// Of an imported function that is instrumented: what is called in its place. As newIndex.
  std::optional<uint32_t> thunkIndex;
  /// Offset and size of the body in the original, from its local declarations on; 0 if imported.
  uint64_t codeOffset = 0;
  uint32_t codeSize = 0;
  /// See wasm::hashBody; 0 if imported, or not asked for.
  uint64_t bodyHash = 0;
  /// Where it was declared, or its code begins: a line that counts from 1, 0 if it is unknown, and
  /// the file as an index of InstrumentedModule::sources.
  uint32_t line = 0;
  uint32_t source = 0;
  Selection selection = Selection::taken;
  bool isImported = false;
};

/// What is known of places in sources.
struct PlacesReport {
  /// The locator's name; empty if nothing is known.
  std::string origin;
  uint64_t functions = 0;
  /// Of the section; 0 if it was not written.
  uint64_t bytes = 0;
  std::vector<llvm::StringRef> leftOut;
  std::vector<std::string> problems;
};

struct InstrumentedModule {
  llvm::SmallVector<uint8_t, 0> bytes;
  /// For these bytes, as mappings; empty if it is not wanted.
  std::string sourceMappings;
  wasm::ModuleIdentity identity;
  /// From the name section; may be empty.
  std::string name;
  /// All functions in the original's order.
  std::vector<FunctionReport> functions;
  llvm::BumpPtrAllocator functionNames;
  /// The files of the functions.
  std::vector<std::string> sources;
  PlacesReport places;
  /// Of the instrumentations.
  std::vector<std::string> warnings;
  wasm::EditStatistics statistics;
  /// Why the name section was dropped and counts as absent; empty if it was not.
  std::string damagedNames;
  wasm::ExceptionForm exceptionForm = wasm::ExceptionForm::none;
  /// Functions with code that the name section does not name: called as their exports, or, without
  /// one, by their numbers.
  uint32_t namedByExport = 0;
  uint32_t unnamed = 0;
  /// Imported functions whose references still go to themselves, since the module could tell.
  uint32_t keptReferences = 0;
  uint64_t originalSize = 0;
  /// Whether anything is inserted at entries and exits.
  bool editsFunctions = true;
  /// What its instructions cost, if it counts fuel.
  std::optional<wasm::FuelCosts> fuelCosts;
  /// How many functions tell how they were entered; nothing if that is not wanted.
  std::optional<uint32_t> tellingFunctions;
};

/// Nothing of the result refers to `bytes`.
llvm::Expected<InstrumentedModule> instrumentModule(llvm::ArrayRef<uint8_t> bytes,
                                                    llvm::StringRef fileName,
                                                    const InstrumentOptions &options);

} // namespace warpo

#endif
