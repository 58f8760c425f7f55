//===- InstrumentJob.cpp - Reads the input, writes the outputs ------------===//

#include "warpo/Instrument/InstrumentJob.h"
#include "warpo/Support/Errors.h"
#include "warpo/Support/InputStream.h"
#include "warpo/Support/OutputFile.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace llvm;
using namespace warpo;

namespace {

/// Output files that are moved to their places together, when all are complete.
class OutputSet {
public:
  Error add(StringRef path, function_ref<void(raw_ostream &)> write) {
    if (path.empty())
      return Error::success();
    auto file = OutputFile::create(path);
    if (!file)
      return file.takeError();
    write((*file)->os());
    (*file)->os().flush();
    if (Error error = (*file)->check())
      return error;
    files_.push_back(std::move(*file));
    return Error::success();
  }

  Error commit() {
    for (const std::unique_ptr<OutputFile> &file : files_)
      if (Error error = file->commit())
        return error;
    return Error::success();
  }

private:
  std::vector<std::unique_ptr<OutputFile>> files_;
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
  auto result =
      instrumentModule(arrayRefFromStringRef((*input)->getBuffer()), fileName, job.options);
  if (!result)
    return result.takeError();

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

  OutputSet outputs;
  if (Error error = outputs.add(job.output, [&](raw_ostream &os) {
        os << toStringRef(ArrayRef<uint8_t>(result->bytes));
      }))
    return error;
  if (Error error = outputs.add(job.mappingFile,
                                [&](raw_ostream &os) { writeMapping(os, result->functions); }))
    return error;
  if (Error error =
          outputs.add(job.infoFile, [&](raw_ostream &os) { writeInfo(os, *result, moduleName); }))
    return error;
  if (Error error = outputs.add(job.mappingJson, [&](raw_ostream &os) { os << mappingJson; }))
    return error;
  if (Error error = outputs.commit())
    return error;
  return result;
}
