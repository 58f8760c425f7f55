//===- ArtifactFiles.cpp --------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "ArtifactFiles.h"
#include "warpo/Counts/CountFile.h"
#include "warpo/Support/Errors.h"
#include "warpo/Support/FilesInUse.h"
#include "warpo/Support/OutputFile.h"
#include "warpo/Tooling/ToolMain.h"
#include "warpo/Wasm/CountArtifacts.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"
#include <map>

using namespace llvm;
using namespace warpo;

/// The record's path if the artifact is a record; empty: standard output.
static std::string pathOf(const ArtifactTarget &target, StringRef format, StringRef extension) {
  if (format == wasm::countFileFormat && !target.counts.empty())
    return target.counts;
  const std::string &record = target.record.file;
  if (extension.empty() || record.empty())
    return record;
  SmallString<128> path(record);
  sys::path::replace_extension(path, extension);
  return path.str().str();
}

Error warpo::checkArtifactFiles(const ArtifactTarget &target, const ProgramHostCalls &calls) {
  if (target.counts == "-")
    return makeError("--counts=-: standard output is the program's");
  std::map<std::string, const ProgramHostCalls::ModuleArtifact *> files;
  for (const ProgramHostCalls::ModuleArtifact &each : calls.artifacts()) {
    const auto &[artifact, module] = each;
    if (artifact.isRecord() && calls.isRecorded())
      continue;
    std::string path = pathOf(target, artifact.format, artifact.extension);
    if (!artifact.isRecord() && path.empty())
      return fileError(module, artifact.description +
                                   " goes to a file beside the record, and the record "
                                   "to standard output; use --record=<file>");
    if (!artifact.isRecord() && calls.isRecorded() && path == target.record.file)
      return fileError(module, artifact.description + " goes to " + path +
                                   ", which is the record; use another extension for it");
    auto [other, isNew] = files.try_emplace(path, &each);
    if (!isNew && other->second->artifact.format != artifact.format)
      return fileError(module, artifact.description + " and " +
                                   other->second->artifact.description + " of " +
                                   other->second->module + " would go to the same file " +
                                   (path.empty() ? "<stdout>" : path));
    if (isNew)
      if (Error error = FilesInUse::checkOutput(path.empty() ? "-" : path))
        return error;
  }
  return Error::success();
}

static Error writeTo(int descriptor, ArrayRef<const FetchedArtifact *> artifacts) {
  raw_fd_ostream os(descriptor, /*shouldClose=*/false);
  for (const FetchedArtifact *artifact : artifacts)
    os << artifact->bytes;
  os.flush();
  std::error_code code = os.error();
  os.clear_error();
  return code ? fileError("standard output", code) : Error::success();
}

static Error writeFile(const RecordTarget &target, const std::string &path,
                       ArrayRef<const FetchedArtifact *> artifacts) {
  if (path.empty())
    return writeTo(target.descriptor, artifacts);
  return writeOutput(path, [&](raw_ostream &os) {
    for (const FetchedArtifact *artifact : artifacts)
      os << artifact->bytes;
    return Error::success();
  });
}

/// Reports omitted records, and artifacts that the engine cannot fetch.
static void reportMissing(const ProgramHostCalls &calls, const RunResult &result) {
  if (!result.artifactProblems.empty())
    return;
  for (const auto &[artifact, module] : calls.artifacts()) {
    bool isFetched = any_of(result.artifacts, [&](const FetchedArtifact &fetched) {
      return fetched.format == artifact.format && fetched.extension == artifact.extension;
    });
    if (!isFetched)
      warn(module + " keeps " + artifact.description + " by itself, which " +
           (result.instrumented && artifact.isRecord()
                ? "is not recorded beside the trace points of other modules"
                : "engine " + result.engine + " has not recorded"));
  }
}

void warpo::warnOfEmptyCounts(const RunResult &result, StringRef part) {
  std::string counts;
  for (const FetchedArtifact &artifact : result.artifacts)
    if (artifact.format == wasm::countFileFormat)
      counts += artifact.bytes;
  warnOfEmptyCounts(counts, part);
}

void warpo::warnOfEmptyCounts(StringRef counts, StringRef part) {
  CountSums sums;
  if (Error error = sums.add(arrayRefFromStringRef(counts), "counts"))
    return warn(toString(std::move(error)));
  bool isEmpty = all_of(sums.modules(), [](const CountData &data) {
    return all_of(data.counters, [](uint64_t counter) { return counter == 0; });
  });
  if (isEmpty)
    warn("nothing was executed in a section or phase '" + part + "'");
}

bool warpo::writeArtifactFiles(const ArtifactTarget &target, const ProgramHostCalls &calls,
                               const RunResult &result, bool quiet) {
  for (const std::string &problem : result.artifactProblems)
    warn(problem);
  reportMissing(calls, result);
  std::map<std::string, std::vector<const FetchedArtifact *>> files;
  for (const FetchedArtifact &artifact : result.artifacts)
    files[pathOf(target, artifact.format, artifact.extension)].push_back(&artifact);
  bool isWhole = result.artifactProblems.empty();
  for (const auto &[path, artifacts] : files) {
    if (Error error = writeFile(target.record, path, artifacts)) {
      warn(toString(std::move(error)));
      isWhole = false;
    } else if (!quiet) {
      note("recorded " + artifacts.front()->description +
           (artifacts.size() > 1 ? " in each of " + std::to_string(artifacts.size()) + " instances"
                                 : "") +
           " to " + (path.empty() ? "standard output" : path) + " (engine " + result.engine + ")");
    }
  }
  return isWhole;
}
