//===- InstrumentJob.h - warpo-instrument's work, with its files ----------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_INSTRUMENT_INSTRUMENTJOB_H
#define WARPO_INSTRUMENT_INSTRUMENTJOB_H

#include "warpo/Instrument/ModuleInstrumenter.h"
#include "warpo/Toolchain/Binaryen.h"
#include "llvm/Support/raw_ostream.h"

namespace warpo {

struct InstrumentJob {
  InstrumentOptions options;
  /// What to do with the instrumented module.
  std::optional<OptimizationLevel> optimization;
  bool validate = false;
  /// Whether to write it as text.
  bool asText = false;
  /// Files, or `-`. An empty name: not wanted. The input may be text or binary.
  std::string input;
  std::string output;
  std::string mappingFile;
  std::string infoFile;
  std::string mappingJson;
  /// A table of what instructions cost; empty: the usual costs.
  std::string fuelCosts;
  /// A file with the names of the input's functions, if not the module or a file that it names.
  std::string symbols;
  /// A file with the DWARF of the input, if not the module or the file that it names.
  std::string debugFile;
  /// The source map of the input, if not the one that the module names, and that of the output.
  std::string sourceMap;
  std::string outputSourceMap;
};

/// Instruments a module and writes the files: all of them, or none if anything fails before all are
/// complete (but standard output and devices, which are written directly).
llvm::Expected<InstrumentedModule> runInstrumentJob(const InstrumentJob &job);

/// What was done, one thing a line.
std::vector<std::string> summarize(const InstrumentedModule &result);
/// What the user should know and may want to change; usually nothing.
std::vector<std::string> warnings(const InstrumentedModule &result);

/// The steps behind the rewriting, as far as the job wants them: optimises, validates. `original`
/// is what was instrumented.
llvm::Error finishModule(const InstrumentJob &job, llvm::ArrayRef<uint8_t> original,
                         llvm::StringRef fileName, InstrumentedModule &result);

// The files, one function each.

/// One line a function that is instrumented: id, space, name with its line breaks made spaces.
/// Nothing else, as WARPO's own tools read it too.
void writeMapping(llvm::raw_ostream &os, llvm::ArrayRef<FunctionReport> functions);
/// See docs/instrumented-module.md.
void writeInfo(llvm::raw_ostream &os, const InstrumentedModule &result, llvm::StringRef moduleName);

/// The mapping of one module in a JSON file for several.
struct MappingJsonEntry {
  uint64_t moduleId;
  /// May be empty.
  std::string moduleName;
  std::string mappingFile;
};
/// The new text of a JSON file of mappings: `existing` (empty for a new file) with an entry that
/// replaces one of the same module and mapping; an error if the module's id has another mapping
/// there. The mapping's path is made relative to the JSON file's.
llvm::Expected<std::string> appendMappingJson(llvm::StringRef existing, llvm::StringRef jsonFile,
                                              const MappingJsonEntry &entry);

} // namespace warpo

#endif
