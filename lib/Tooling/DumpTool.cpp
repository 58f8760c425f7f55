//===- DumpTool.cpp -------------------------------------------------------===//

#include "warpo/Tooling/DumpTool.h"
#include "EntryFilter.h"
#include "warpo/Output/RecordSummary.h"
#include "warpo/Output/RecordVerifier.h"
#include "warpo/Recorder/warpo_recorder.h"
#include "warpo/Support/Errors.h"
#include "warpo/Support/OutputFile.h"
#include "warpo/Support/Progress.h"
#include <cerrno>

using namespace llvm;
using namespace warpo;

namespace {

/// Filters entries and writes what is left.
class EntryOutput {
public:
  EntryOutput(EntryFilter filter, std::unique_ptr<RecordWriter> writer, const RecordHeader &header,
              OutputFile &file)
      : filter_(std::move(filter)), writer_(std::move(writer)), header_(header), file_(file) {}

  Error write(const RecordBatch &batch) {
    RecordBatch kept = filter_.apply(batch);
    samplesLeftOut_ += writer_->takesSamples() ? 0 : kept.samples.size();
    if (kept.size() == 0 && kept.notes.empty() && kept.samples.empty())
      return Error::success();
    if (Error error = writer_->write(kept))
      return error;
    return file_.check();
  }
  Error finish() { return writer_->finish(); }
  std::vector<std::string> omissions() const {
    std::vector<std::string> omissions = writer_->omissions();
    if (samplesLeftOut_ > 0)
      omissions.push_back(countOf(samplesLeftOut_, "sample"));
    if (size_t phases = header_.phases.size(); phases > 0 && !writer_->takesPhases())
      omissions.push_back(countOf(phases, "phase of the host", "phases of the host"));
    return omissions;
  }
  const EntryFilter &filter() const { return filter_; }

private:
  EntryFilter filter_;
  std::unique_ptr<RecordWriter> writer_;
  const RecordHeader &header_;
  OutputFile &file_;
  uint64_t samplesLeftOut_ = 0;
};

/// Makes entries of events again.
class EntrySink : public EventSink {
public:
  EntrySink(const FunctionTable &functions, EntryOutput &output)
      : functions_(functions), output_(output) {}

  Error events(const EventBatch &batch) override;
  Error samples(const SampleBatch &batch) override {
    RecordBatch kept;
    kept.stream = batch.stream;
    kept.samples = batch.samples;
    return output_.write(kept);
  }
  Error finish() override { return Error::success(); }
  uint64_t eventsWithoutId() const { return eventsWithoutId_; }

private:
  const FunctionTable &functions_;
  EntryOutput &output_;
  RecordColumns columns_;
  uint64_t eventsWithoutId_ = 0;
};

/// Takes events that nobody asks for: where the entries themselves are wanted.
class NoSink : public EventSink {
public:
  Error events(const EventBatch &) override { return Error::success(); }
  Error finish() override { return Error::success(); }
};

} // namespace

Error EntrySink::events(const EventBatch &batch) {
  columns_.clear();
  ArrayRef<LostRange> lost = batch.lost;
  auto keepLosses = [&](size_t position) {
    for (const LostRange &range : takeUpTo(lost, position))
      columns_.notes.push_back({uint32_t(columns_.ids.size()), NoteKind::lost, range.count, ""});
  };
  for (size_t i = 0; i < batch.events.size(); ++i) {
    keepLosses(i);
    const Event &event = batch.events[i];
    // What is no function of the program has no id, so that no entry can stand for it.
    int32_t id = functions_[event.function].id;
    if (id == 0) {
      ++eventsWithoutId_;
      continue;
    }
    columns_.times.push_back(event.time);
    columns_.ids.push_back(isEnd(event.kind) ? -id : id);
    if (!batch.fuel.empty())
      columns_.fuel.push_back(batch.fuel[i]);
  }
  keepLosses(batch.events.size());
  return output_.write(columns_.batch(batch.stream));
}

static bool wantsEvents(const ReadingOptions &options) {
  return options.from.getNumOccurrences() || options.to.getNumOccurrences() ||
         options.slices.getNumOccurrences() || options.slicer != "calls";
}

Expected<ToolResult> warpo::dumpRecord(const DumpRequest &request, const ReadingOptions &options) {
  auto format = warpo::Registry<RecordFormat>::create(request.format);
  if (!format)
    return format.takeError();
  auto globs = NameGlobs::create(request.functions, "function");
  if (!globs)
    return globs.takeError();
  auto input = RecordInput::openAll(request.records, options);
  if (!input)
    return input.takeError();
  auto file = OutputFile::create(request.output, request.format, (*format)->isBinary());
  if (!file)
    return file.takeError();

  const RecordHeader &header = (*input)->reader().header();
  FunctionTable &functions = (*input)->functions();
  if (request.compress && !(*format)->canCompress())
    return makeError("--format=" + request.format + " knows no compression");
  auto writer =
      (*format)->create((*file)->os(), {header, functions, (*input)->scale(), request.compress});
  if (!writer)
    return makeError("--format=" + request.format + ": " + toString(writer.takeError()));
  EntryOutput output(EntryFilter(request.modules, std::move(*globs), functions, header),
                     std::move(*writer), header, **file);
  EntrySink entrySink(functions, output);
  NoSink noSink;
  auto result = wantsEvents(options)
                    ? (*input)->slice(entrySink)
                    : (*input)->slice(noSink, /*maxSlices=*/0, [&](const RecordBatch &batch) {
                        return output.write(batch);
                      });
  if (!result)
    return result.takeError();
  if (Error error = output.finish())
    return error;
  if (uint64_t leftOut = entrySink.eventsWithoutId())
    (*input)->damage().add("begin or end left out of the dump, as it is of no one function",
                           "begins and ends left out of the dump, as they are of no one function",
                           leftOut, [&] { return request.records.front(); });
  for (const std::string &omission : output.omissions())
    warn("the format '" + request.format + "' has no place for " + omission);
  for (const std::string &module : output.filter().unusedModules())
    warn("no entry is of the module '" + module + "'");
  // Before the commit: what --strict refuses leaves no file.
  auto verdict = (*input)->finish();
  if (!verdict)
    return verdict;
  if (Error error = (*file)->commit())
    return error;
  return verdict;
}

Expected<ToolResult> warpo::recoverRecord(StringRef record) {
  std::string live = (record + ".live").str();
  uint64_t added = 0;
  switch (int error = warpo_recorder_recover(record.str().c_str(), &added)) {
  case 0:
    note((record + ": added " + countOf(added, "event") + " from " + live).str());
    return ToolResult::done;
  case EBUSY:
    return fileError(record, "is being recorded by a process that lives");
  case EINVAL:
    return fileError(live, "is damaged, of another version of the recorder, or of "
                           "another record");
  default:
    return fileError(live, std::error_code(error, std::generic_category()));
  }
}

/// A report is about all modules and functions.
static Error refuseFilters(const DumpRequest &request, StringRef option) {
  if (!request.modules.empty() || !request.functions.empty())
    return makeError("--module and --function choose the entries of a dump, " + option +
                     " looks at all");
  return Error::success();
}

Expected<ToolResult> warpo::summarizeRecord(const DumpRequest &request,
                                            const ReadingOptions &options) {
  if (Error error = refuseFilters(request, "--summary"))
    return error;
  auto input = RecordInput::openAll(request.records, options);
  if (!input)
    return input.takeError();
  auto file = OutputFile::create(request.output);
  if (!file)
    return file.takeError();
  RecordSummary summary;
  // It counts the entries outside of a window too.
  auto result = (*input)->slice(summary, /*maxSlices=*/0,
                                [](const RecordBatch &) { return Error::success(); });
  if (!result)
    return result.takeError();
  summary.print((*file)->os(), (*input)->reader().header(), (*input)->functions(),
                (*input)->scale(), *result, (*input)->damage());
  auto verdict = (*input)->finish();
  if (!verdict)
    return verdict;
  if (Error error = (*file)->commit())
    return error;
  return verdict;
}

Expected<ToolResult> warpo::verifyRecord(const DumpRequest &request,
                                         const ReadingOptions &options) {
  if (Error error = refuseFilters(request, "--verify"))
    return error;
  if (wantsEvents(options))
    return makeError("--verify looks at the whole record, as recorded: --from, --to, --slices and "
                     "--slicer do not go with it");
  if (request.records.size() > 1)
    return makeError("--verify looks at one record, as recorded");
  const std::string &record = request.records.front();
  auto input = RecordInput::open(record, options);
  if (!input)
    return input.takeError();
  auto file = OutputFile::create(request.output);
  if (!file)
    return file.takeError();
  RecordReader &reader = (*input)->reader();
  Progress progress((*input)->title(), reader.inputSize(), !options.noProgress);
  auto breaches = reportBreaches(reader, (*input)->functions(), record == "-" ? "<stdin>" : record,
                                 (*file)->os(), [&] {
                                   progress.update(reader.bytesRead());
                                   return (*file)->check();
                                 });
  if (!breaches) {
    (*input)->tellDamage();
    return breaches.takeError();
  }
  // What is wrong with the mapping is told here, what is wrong with the record has been written.
  auto verdict = (*input)->finish();
  if (!verdict)
    return verdict;
  if (Error error = (*file)->commit())
    return error;
  if (*breaches == 0)
    return verdict;
  if (options.strict)
    return makeError(record + ": " + countOf(*breaches, "breach", "breaches"));
  return ToolResult::damaged;
}
