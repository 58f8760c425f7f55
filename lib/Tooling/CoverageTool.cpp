//===- CoverageTool.cpp ---------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Tooling/CoverageTool.h"
#include "warpo/Source/SourceLocator.h"
#include "warpo/Support/Errors.h"
#include "warpo/Support/InputStream.h"
#include "warpo/Support/OutputFile.h"
#include "warpo/Toolchain/TextFormat.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"

using namespace llvm;
using namespace warpo;

bool warpo::holdsCounts(const std::string &path) {
  if (!sys::fs::is_regular_file(path))
    return false;
  auto file = MemoryBuffer::getFileSlice(path, 16, 0);
  return file && isCountFile((*file)->getBuffer());
}

static Expected<CountSums> readSums(ArrayRef<std::string> paths) {
  CountSums sums;
  for (const std::string &path : paths) {
    auto input = readWholeInput(path);
    if (!input)
      return input.takeError();
    if (Error error =
            sums.add(arrayRefFromStringRef((*input)->getBuffer()), (*input)->getBufferIdentifier()))
      return error;
  }
  return sums;
}

static void reportCounts(const ModuleCounts &counts, const ModulePlaces &places) {
  for (const std::string &problem : places.problems)
    warn(problem);
  if (places.functions.empty())
    note(counts.module().fileName + " does not say where its code comes from (compile with -g): "
                                    "there are no files and lines");
  if (uint64_t saturated = counts.data().saturated)
    warn(countOf(saturated, "counter") + " would be more than 2^64 - 1, and stay there");
  uint64_t functions = 0;
  counts.forEach([&](const FunctionCounts &each) { functions += each.counts.negative != 0; });
  if (functions)
    warn("the counts of " + countOf(functions, "function") +
         " do not add up: calls of them were left in the middle, by a trap, an exception or the "
         "program's end. They are not exact there (--counters=all counts exactly)");
}

static ToolResult checkShare(const CoverageRequest &request, ArrayRef<CountedFile> files) {
  if (!request.failBelow)
    return ToolResult::done;
  CoverageSums::Share lines;
  for (const CountedFile &file : files) {
    CoverageSums sums = sumsOf(file);
    lines.executed += sums.lines.executed;
    lines.all += sums.lines.all;
  }
  double share = lines.all ? 100.0 * double(lines.executed) / double(lines.all) : 0;
  if (share >= *request.failBelow)
    return ToolResult::done;
  SmallString<64> text;
  raw_svector_ostream(text) << format("%.2f", share) << " % of " << countOf(lines.all, "line")
                            << " were executed, less than --fail-below="
                            << format("%g", *request.failBelow) << '%';
  note(text);
  return ToolResult::increased;
}

Expected<ToolResult> warpo::writeCoverage(const CoverageRequest &request) {
  auto format = warpo::Registry<CoverageFormat>::create(request.format);
  if (!format)
    return format.takeError();
  auto output = OutputFile::create(request.output);
  if (!output)
    return output.takeError();
  auto input = readModuleFile(request.module);
  if (!input)
    return input.takeError();
  auto module = wasm::readModule(arrayRefFromStringRef((*input)->getBuffer()),
                                 (*input)->getBufferIdentifier());
  if (!module)
    return module.takeError();
  auto sums = readSums(request.counts);
  if (!sums)
    return sums.takeError();
  auto counts = ModuleCounts::create(*module, *sums);
  if (!counts)
    return counts.takeError();
  auto places = locateModule({*module, request.module, "", ""});
  if (!places)
    return places.takeError();
  Coverage coverage{*counts, *places, countSource(*counts, *places), request.showsBranches};
  if (request.paths)
    for (CountedFile &file : coverage.files)
      file.path = (*request.paths)(file.path);
  reportCounts(*counts, *places);
  (*format)->write(coverage, (*output)->os());
  if (Error error = (*output)->commit())
    return error;
  return checkShare(request, coverage.files);
}
