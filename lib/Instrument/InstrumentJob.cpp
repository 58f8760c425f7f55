//===- InstrumentJob.cpp - Reads the input, writes the outputs ------------===//

#include "warpo/Instrument/InstrumentJob.h"
#include "warpo/Support/Errors.h"
#include "warpo/Support/InputStream.h"
#include "warpo/Support/OutputFile.h"
#include "warpo/Support/ResolvedPath.h"
#include "warpo/Toolchain/TextFormat.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <functional>

using namespace llvm;
using namespace warpo;

namespace {

/// Output files that are moved to their places together, when all are complete.
class OutputSet {
public:
  using Write = std::function<void(raw_ostream &)>;

  /// Opens a file, and remembers what to write into it. An empty path: not wanted.
  Error add(StringRef path, Write write) {
    if (path.empty())
      return Error::success();
    for (const Output &other : outputs_)
      if (other.path == path || (path != "-" && resolvedPath(other.path) == resolvedPath(path)))
        return makeError("two outputs go to " +
                         (path == "-" ? "standard output" : "'" + path + "'"));
    auto file = OutputFile::create(path);
    if (!file)
      return file.takeError();
    outputs_.push_back({path.str(), std::move(*file), std::move(write)});
    return Error::success();
  }

  Error write() {
    for (Output &output : outputs_) {
      output.write(output.file->os());
      output.file->os().flush();
      if (Error error = output.file->check())
        return error;
    }
    for (Output &output : outputs_)
      if (Error error = output.file->commit())
        return error;
    return Error::success();
  }

private:
  struct Output {
    std::string path;
    std::unique_ptr<OutputFile> file;
    Write write;
  };
  std::vector<Output> outputs_;
};

} // namespace

static Expected<std::string>
newMappingJson(const InstrumentJob &job, const InstrumentedModule &result, StringRef moduleName) {
  std::string existing;
  if (sys::fs::exists(job.mappingJson)) {
    auto buffer = readWholeInput(job.mappingJson);
    if (!buffer)
      return buffer.takeError();
    existing = (*buffer)->getBuffer().str();
  }
  return appendMappingJson(existing, job.mappingJson,
                           {result.identity.moduleId, moduleName.str(), job.mappingFile});
}

Expected<InstrumentedModule> warpo::runInstrumentJob(const InstrumentJob &job) {
  if (!job.mappingJson.empty() && (job.mappingFile.empty() || job.mappingFile == "-"))
    return makeError("--append-mapping-json needs a mapping in a file");
  auto input = readWholeInput(job.input);
  if (!input)
    return input.takeError();
  StringRef fileName = (*input)->getBufferIdentifier();
  StringRef original = (*input)->getBuffer();
  std::string assembled;
  if (isModuleText(original)) {
    auto binary = assembleModule(original, fileName);
    if (!binary)
      return binary.takeError();
    assembled = std::move(*binary);
    original = assembled;
  }
  auto result = instrumentModule(arrayRefFromStringRef(original), fileName, job.options);
  if (!result)
    return result.takeError();
  if (Error error = finishModule(job, arrayRefFromStringRef(original), fileName, *result))
    return error;
  std::string text;
  if (job.asText) {
    auto printed = moduleAsText(result->bytes, fileName);
    if (!printed)
      return printed.takeError();
    text = std::move(*printed);
  }

  // What a user knows a nameless module by.
  std::string moduleName = result->name;
  if (moduleName.empty() && job.input != "-")
    moduleName = sys::path::stem(job.input).str();

  std::string mappingJson;
  if (!job.mappingJson.empty()) {
    auto text = newMappingJson(job, *result, moduleName);
    if (!text)
      return text.takeError();
    mappingJson = std::move(*text);
  }

  const std::pair<const std::string &, OutputSet::Write> files[] = {
      {job.output,
       [&](raw_ostream &os) {
         os << (job.asText ? StringRef(text) : toStringRef(ArrayRef<uint8_t>(result->bytes)));
       }},
      {job.mappingFile, [&](raw_ostream &os) { writeMapping(os, result->functions); }},
      {job.infoFile, [&](raw_ostream &os) { writeInfo(os, *result, moduleName); }},
      {job.mappingJson, [&](raw_ostream &os) { os << mappingJson; }},
  };
  OutputSet outputs;
  for (const auto &[path, write] : files)
    if (Error error = outputs.add(path, write))
      return error;
  if (Error error = outputs.write())
    return error;
  return result;
}
