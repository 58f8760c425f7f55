//===- CoverageTool.cpp ---------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Tooling/CoverageTool.h"
#include "../common/TerminalStyle.h"
#include "../reading/CodeListing.h"
#include "../reading/CountsInput.h"
#include "../reading/SourceTexts.h"
#include "CountsAnnotation.h"
#include "CountsProfile.h"
#include "CoverageFiles.h"
#include "warpo/Coverage/RunPlaces.h"
#include "warpo/Output/ProfileBackend.h"
#include "warpo/Profile/Views.h"
#include "warpo/Report/AnnotationFormat.h"
#include "warpo/Source/SourceLocator.h"
#include "warpo/Support/Errors.h"
#include "warpo/Support/OutputFile.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Path.h"

using namespace llvm;
using namespace warpo;

bool warpo::holdsCounts(StringRef path) {
  if (!sys::fs::is_regular_file(path))
    return false;
  auto file = MemoryBuffer::getFileSlice(path, 16, 0);
  return file && isCountFile((*file)->getBuffer());
}

// Source locations or, if the format can show nothing else, locations in the code itself:
// `showsRuns` permits these, and is set to whether they were used.
static Expected<ModulePlaces> findPlaces(const ModuleCounts &counts, StringRef path,
                                         bool &showsRuns) {
  const wasm::Module &module = counts.module();
  auto places = locateModule({module, path, "", ""});
  if (!places)
    return places.takeError();
  for (const std::string &problem : places->problems)
    warn(problem);
  if (!places->functions.empty()) {
    showsRuns = false;
    return places;
  }
  note(module.fileName + " does not say where its code comes from (compile with -g): " +
       (showsRuns ? "its own code is shown, each straight run as a line, by its offset"
                  : "there are no files and lines"));
  return showsRuns ? placesOfRuns(counts) : std::move(places);
}

static void dropBranches(SourceCounts &source) {
  for (CountedFile &file : source.files)
    for (auto &[number, line] : file.lines)
      line.branches.clear();
}

static void showPaths(SourceCounts &source, const SourcePaths &paths) {
  for (CountedFile &file : source.files)
    file.path = paths(file.path);
  for (DroppedFunction &function : source.dropped)
    function.path = paths(function.path);
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
  explainExitCode(text);
  return ToolResult::increased;
}

namespace {

/// Counts are written as coverage, as annotated source, or as a profile of instructions.
struct ChosenFormat {
  std::unique_ptr<CoverageFormat> coverage;
  std::unique_ptr<AnnotationFormat> annotation;
  std::unique_ptr<ProfileBackend> profile;
};

} // namespace

// Creates the registry's entry with this name; if there is none, adds its entries to `known`.
template <typename T>
static Error take(StringRef name, std::unique_ptr<T> &chosen,
                  std::vector<RegistryEntryInfo> &known) {
  auto entries = warpo::Registry<T>::entries();
  if (!entries)
    return entries.takeError();
  append_range(known, *entries);
  if (none_of(*entries, [&](const RegistryEntryInfo &entry) { return entry.name == name; }))
    return Error::success();
  return warpo::Registry<T>::create(name).moveInto(chosen);
}

static Expected<ChosenFormat> chooseFormat(StringRef name) {
  ChosenFormat chosen;
  // Profile formats are shadowed by other formats of the same name.
  std::vector<RegistryEntryInfo> known, profiles;
  if (Error error = take(name, chosen.coverage, known))
    return error;
  if (Error error = take(name, chosen.annotation, known))
    return error;
  if (chosen.coverage || chosen.annotation)
    return chosen;
  if (Error error = take(name, chosen.profile, profiles))
    return error;
  if (chosen.profile)
    return chosen;
  for (const RegistryEntryInfo &entry : profiles)
    if (none_of(known, [&](const RegistryEntryInfo &other) { return other.name == entry.name; }))
      known.push_back(entry);
  if (Error error = warpo::detail::sortEntries("format of counts", known))
    return error;
  return warpo::detail::unknownEntry("format of counts", name, known);
}

// Removes arguments that are not files of counts: they name functions or files to show.
static std::vector<std::string> takeWanted(std::vector<std::string> &arguments) {
  std::vector<std::string> counts{arguments.front()}, wanted;
  for (std::string &each : MutableArrayRef(arguments).drop_front())
    (each == "-" || holdsCounts(each) ? counts : wanted).push_back(std::move(each));
  arguments = std::move(counts);
  return wanted;
}

static StringRef titleOf(const CoverageRequest &request) {
  return sys::path::filename(request.counts.front());
}

static Error writeAnnotated(const Coverage &coverage, const CoverageRequest &request,
                            AnnotationRequest wanted, AnnotationFormat &format, raw_ostream &os) {
  std::optional<CodeListing> code;
  if (request.assembly) {
    auto listing = CodeListing::make(coverage.counts.module(), coverage.places, request.paths);
    if (!listing)
      return listing.takeError();
    code = std::move(*listing);
    wanted.codeOf = [&](StringRef file, uint32_t line) { return code->of(file, line); };
  }
  SourceFiles files;
  provideSources(request.module, request.paths, files);
  auto annotation = annotateCounts(coverage, titleOf(request), wanted, files);
  if (!annotation)
    return annotation.takeError();
  format.write(*annotation, styleFor(request.output), os);
  return Error::success();
}

static Error writeProfile(const Coverage &coverage, const CoverageRequest &request,
                          ProfileBackend &backend, raw_ostream &os) {
  Profile profile = demangle(profileOfCounts(coverage.counts, coverage.places, titleOf(request),
                                             request.paths, backend.showsLines()));
  if (Error error = backend.write(profile, os))
    return error;
  for (const std::string &text : backend.notes())
    note(text);
  return Error::success();
}

static Error write(const ChosenFormat &format, const Coverage &coverage,
                   const CoverageRequest &request, AnnotationRequest wanted, raw_ostream &os) {
  if (format.annotation)
    return writeAnnotated(coverage, request, std::move(wanted), *format.annotation, os);
  if (format.profile)
    return writeProfile(coverage, request, *format.profile, os);
  format.coverage->write(coverage, os);
  for (const std::string &text : format.coverage->notes())
    note(text);
  return Error::success();
}

Expected<ToolResult> warpo::writeCoverage(const CoverageRequest &request) {
  auto format = chooseFormat(request.format);
  if (!format)
    return format.takeError();
  if (request.readTrace && !(format->coverage && format->coverage->showsCallTargets()))
    return makeError("--trace needs a format with call targets, such as sample-profile, not " +
                     request.format);
  std::vector<std::string> inputs = request.counts;
  AnnotationRequest wanted = request.annotation;
  bool showsFiles = format->coverage && format->coverage->showsFiles();
  if (format->annotation || showsFiles)
    wanted.wanted = takeWanted(inputs);
  bool isBinary = (format->coverage && format->coverage->isBinary()) ||
                  (format->profile && format->profile->isBinary());
  auto output = OutputFile::create(request.output, request.format, isBinary);
  if (!output)
    return output.takeError();
  auto input = CountsInput::read(request.module, inputs, request.since);
  if (!input)
    return input.takeError();
  const ModuleCounts &counts = (*input)->counts();
  bool showsRuns = format->annotation || showsFiles;
  auto places = findPlaces(counts, request.module, showsRuns);
  if (!places)
    return places.takeError();
  Coverage coverage{counts, *places, countSource(counts, *places), request.showsBranches,
                    showsRuns};
  if (request.readTrace)
    if (Error error = request.readTrace((*input)->module()).moveInto(coverage.traced))
      return error;
  if (!request.showsBranches)
    dropBranches(coverage.source);
  if (request.countsDropped)
    coverage.source.countDropped();
  // Formats that are not by files show everything.
  SourceCounts judged;
  if (showsFiles) {
    if (Error error = keepFiles(coverage.source, wanted.wanted, request.paths))
      return error;
  } else if (request.failBelow) {
    judged = coverage.source;
    keepFilesHere(judged, request.paths);
  }
  if (request.paths)
    showPaths(coverage.source, *request.paths);
  (*input)->reportProblems();
  if (Error error = write(*format, coverage, request, std::move(wanted), (*output)->os()))
    return error;
  if (Error error = (*output)->commit())
    return error;
  return checkShare(request, showsFiles ? coverage.source.files : judged.files);
}
