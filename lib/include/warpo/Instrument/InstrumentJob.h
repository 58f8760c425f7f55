//===- InstrumentJob.h - warpo-instrument's work, including files ---------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_INSTRUMENT_INSTRUMENTJOB_H
#define WARPO_INSTRUMENT_INSTRUMENTJOB_H

#include "warpo/Instrument/ModuleInstrumenter.h"
#include "warpo/Toolchain/Binaryen.h"
#include "llvm/Support/raw_ostream.h"

namespace warpo {

struct InstrumentJob {
  InstrumentOptions options;
  std::optional<OptimizationLevel> optimization;
  bool validate = false;
  /// Whether to write the module as text.
  bool asText = false;
  /// Files, or `-`. An output with an empty name is not written. The input may be text or binary.
  std::string input;
  std::string output;
  std::string mappingFile;
  std::string infoFile;
  std::string mappingJson;
  /// A table of instruction costs; empty: the default costs.
  std::string fuelCosts;
  /// A file with the names of the input's functions; by default the module or a file that it names.
  std::string symbols;
  /// A file with the DWARF of the input; by default the module or the file that it names.
  std::string debugFile;
  /// The source maps of the input (by default the one that the module names) and of the output.
  std::string sourceMap;
  std::string outputSourceMap;
};

/// Instruments a module and writes the files: all of them, or none if anything fails before all are
/// complete. Standard output and devices are an exception: they are written directly.
llvm::Expected<InstrumentedModule> runInstrumentJob(const InstrumentJob &job);

/// What was done, one item a line.
std::vector<std::string> summarize(const InstrumentedModule &result);
/// Problems that the user may want to fix; usually none.
std::vector<std::string> warnings(const InstrumentedModule &result);

/// The steps after instrumenting, if the job asks for them: optimises, validates. `original` is the
/// module before instrumentation.
llvm::Error finishModule(const InstrumentJob &job, llvm::ArrayRef<uint8_t> original,
                         llvm::StringRef fileName, InstrumentedModule &result);

// The files, one function each.

/// One line for each instrumented function: id, space, name with line breaks replaced by spaces.
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
/// Returns `existing`, the text of a JSON file of mappings (empty for a new file), with `entry`
/// added. It replaces an entry of the same module and mapping. Fails if the module's id has another
/// mapping there. The mapping's path is made relative to the JSON file's folder.
llvm::Expected<std::string> appendMappingJson(llvm::StringRef existing, llvm::StringRef jsonFile,
                                              const MappingJsonEntry &entry);

} // namespace warpo

#endif
