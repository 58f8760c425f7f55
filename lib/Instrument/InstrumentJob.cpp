//===- InstrumentJob.cpp - Reads the input, writes the outputs ------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Instrument/InstrumentJob.h"
#include "warpo/Source/SourceLocator.h"
#include "warpo/Support/Errors.h"
#include "warpo/Support/InputStream.h"
#include "warpo/Support/OutputSet.h"
#include "warpo/Toolchain/TextFormat.h"
#include "warpo/Wasm/SourceMapFile.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace llvm;
using namespace warpo;

static Expected<std::string>
newMappingJson(const InstrumentJob &job, const InstrumentedModule &result, StringRef moduleName) {
  std::string existing;
  if (sys::fs::exists(job.mappingJson)) {
    // Not opened as an input, because an input cannot be an output.
    auto buffer = MemoryBuffer::getFile(job.mappingJson);
    if (!buffer)
      return fileError(job.mappingJson, buffer.getError());
    existing = (*buffer)->getBuffer().str();
  }
  return appendMappingJson(existing, job.mappingJson,
                           {result.identity.moduleId, moduleName.str(), job.mappingFile});
}

// Whether any output has source places.
static bool wantsPlaces(const InstrumentJob &job) {
  return (job.options.writesPlaces && !job.asText) || !job.infoFile.empty();
}

// Rejects combinations of options.
static Error checkJob(const InstrumentJob &job) {
  if (!job.mappingJson.empty() && (job.mappingFile.empty() || job.mappingFile == "-"))
    return makeError("--append-mapping-json needs a mapping in a file");
  if (job.optimization && job.options.customSections.keepDebug)
    return makeError("--keep-debug and -O exclude each other: optimising leaves little of the code "
                     "that debug information describes");
  if (job.optimization && !job.outputSourceMap.empty())
    return makeError(
        "--output-source-map and -O exclude each other: optimising moves code to unknown places");
  if (job.outputSourceMap == "-")
    return makeError("--output-source-map needs a file, which the module can name");
  if (!job.sourceMap.empty() && !wantsPlaces(job) && job.outputSourceMap.empty())
    return makeError("--source-map has no effect with --no-places, unless --output-source-map or "
                     "--info-file is given");
  if (!job.debugFile.empty() && !wantsPlaces(job))
    return makeError("--debug-file has no effect with --no-places, unless --info-file is given");
  if (!job.debugFile.empty() && !job.sourceMap.empty() && job.outputSourceMap.empty())
    return makeError("--debug-file and --source-map exclude each other, unless "
                     "--output-source-map is given");
  return Error::success();
}

// The source map to rewrite, if that was requested.
static Expected<std::optional<wasm::SourceMap>> findWantedSourceMap(const InstrumentJob &job,
                                                                    ArrayRef<uint8_t> module) {
  if (job.outputSourceMap.empty())
    return std::nullopt;
  auto map = findSourceMap(module, job.input, job.sourceMap);
  if (map && !*map)
    return noSourceMap(job.input);
  return map;
}

static Expected<wasm::FuelCosts> readFuelCosts(StringRef file) {
  auto buffer = readWholeInput(file);
  if (!buffer)
    return buffer.takeError();
  return wasm::FuelCosts::parse((*buffer)->getBuffer(), (*buffer)->getBufferIdentifier());
}

namespace {

/// What the output files are written from.
struct JobContents {
  InstrumentedModule module;
  /// The module as text, if requested.
  std::string text;
  /// The module's name or, without one, that of its file.
  std::string moduleName;
  std::optional<wasm::SourceMap> sourceMap;
  std::string mappingJson;
};

} // namespace

/// Called before the work, so that an output that cannot be written is reported at once.
static Error openOutputs(const InstrumentJob &job, const JobContents &contents,
                         OutputSet &outputs) {
  const std::pair<const std::string &, OutputSet::Write> files[] = {
      {job.output,
       [&](raw_ostream &os) {
         os << (job.asText ? StringRef(contents.text)
                           : toStringRef(ArrayRef<uint8_t>(contents.module.bytes)));
       }},
      {job.mappingFile, [&](raw_ostream &os) { writeMapping(os, contents.module.functions); }},
      {job.infoFile, [&](raw_ostream &os) { writeInfo(os, contents.module, contents.moduleName); }},
      {job.outputSourceMap,
       [&](raw_ostream &os) {
         os << contents.sourceMap->withMappings(contents.module.sourceMappings,
                                                sys::path::filename(job.output));
       }},
      {job.mappingJson, [&](raw_ostream &os) { os << contents.mappingJson; }},
  };
  for (const auto &[path, write] : files)
    if (Error error = outputs.add(path, write, &path == &job.output && !job.asText ? "wasm" : ""))
      return error;
  return Error::success();
}

static Error makeContents(const InstrumentJob &job, JobContents &contents) {
  auto input = readModuleFile(job.input);
  if (!input)
    return input.takeError();
  StringRef fileName = (*input)->getBufferIdentifier();
  ArrayRef<uint8_t> original = arrayRefFromStringRef((*input)->getBuffer());
  auto sourceMap = findWantedSourceMap(job, original);
  if (!sourceMap)
    return sourceMap.takeError();
  contents.sourceMap = std::move(*sourceMap);
  InstrumentOptions options = job.options;
  options.hashBodies = !job.infoFile.empty();
  options.willBeOptimized = job.optimization.has_value();
  if (!job.fuelCosts.empty()) {
    auto costs = readFuelCosts(job.fuelCosts);
    if (!costs)
      return costs.takeError();
    options.fuelCosts = std::move(*costs);
  }
  if (contents.sourceMap)
    options.sourceMap = &*contents.sourceMap;
  if (!job.outputSourceMap.empty())
    options.newSourceMapUrl = relativeUrl(job.outputSourceMap, job.output);
  options.symbols = [&](const wasm::Module &module) -> Expected<wasm::SymbolFile> {
    if (!job.symbols.empty())
      return wasm::readSymbolFile(job.symbols, module);
    return module.names.functions.empty() ? wasm::findSymbols(module, job.input)
                                          : wasm::SymbolFile();
  };
  if (wantsPlaces(job))
    options.locate = [&](const wasm::Module &module) {
      return locateModule({module, job.input, job.debugFile, job.sourceMap});
    };
  auto result = instrumentModule(original, fileName, options);
  if (!result)
    return result.takeError();
  if (!job.fuelCosts.empty() && !result->fuelCosts)
    return makeError("--fuel-costs needs an instrumentation that counts fuel");
  if (Error error = finishModule(job, original, fileName, *result))
    return error;
  if (job.asText) {
    auto printed = moduleAsText(result->bytes, fileName);
    if (!printed)
      return printed.takeError();
    contents.text = std::move(*printed);
  }
  contents.module = std::move(*result);
  contents.moduleName = contents.module.name;
  if (contents.moduleName.empty() && job.input != "-")
    contents.moduleName = sys::path::stem(job.input).str();
  if (!job.mappingJson.empty()) {
    auto text = newMappingJson(job, contents.module, contents.moduleName);
    if (!text)
      return text.takeError();
    contents.mappingJson = std::move(*text);
  }
  return Error::success();
}

Expected<InstrumentedModule> warpo::runInstrumentJob(const InstrumentJob &job) {
  if (Error error = checkJob(job))
    return error;
  JobContents contents;
  OutputSet outputs;
  if (Error error = openOutputs(job, contents, outputs))
    return error;
  if (Error error = makeContents(job, contents))
    return error;
  if (Error error = outputs.write())
    return error;
  return std::move(contents.module);
}
