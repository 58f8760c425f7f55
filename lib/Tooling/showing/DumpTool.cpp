//===- DumpTool.cpp -------------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Tooling/DumpTool.h"
#include "../common/FormatHint.h"
#include "../reading/EntryFilter.h"
#include "warpo/Output/RecordSummary.h"
#include "warpo/Output/RecordVerifier.h"
#include "warpo/Recorder/warpo_recorder.h"
#include "warpo/Support/Demangle.h"
#include "warpo/Support/Errors.h"
#include "warpo/Support/OutputFile.h"
#include "warpo/Support/Progress.h"
#include <cerrno>
#include <map>

using namespace llvm;
using namespace warpo;

namespace {

/// Filters entries and writes the selected ones.
class EntryOutput {
public:
  EntryOutput(EntryFilter filter, std::unique_ptr<RecordWriter> writer, OutputFile &file)
      : filter_(std::move(filter)), writer_(std::move(writer)), file_(file) {}

  Error write(const RecordBatch &batch) {
    RecordBatch kept = filter_.apply(batch);
    if (kept.size() == 0 && kept.notes.empty() && kept.beside.empty())
      return Error::success();
    if (Error error = writer_->write(kept))
      return error;
    return file_.check();
  }
  Error finish() { return writer_->finish(); }
  std::vector<std::string> omissions() const { return writer_->omissions(); }
  const EntryFilter &filter() const { return filter_; }

private:
  EntryFilter filter_;
  std::unique_ptr<RecordWriter> writer_;
  OutputFile &file_;
};

/// Converts events to entries.
class EntrySink : public EventSink {
public:
  EntrySink(const RecordHeader &header, const FunctionTable &functions, EntryOutput &output)
      : header_(header), functions_(functions), output_(output) {}

  Error events(const EventBatch &batch) override;
  Error beside(const SideBatch &batch) override {
    RecordBatch kept;
    kept.stream = batch.stream;
    kept.beside = batch.entries;
    return output_.write(kept);
  }
  Error finish() override { return Error::success(); }
  uint64_t eventsWithoutId() const { return eventsWithoutId_; }
  /// Entries of streams that share a stack: their shares of the counts are unknown.
  uint64_t entriesWithoutCounts() const { return entriesWithoutCounts_; }

private:
  StreamIndex streamOf(StreamIndex stack, const Function &function);
  int32_t idOf(StreamIndex stream, const Function &function) const;
  Error flush(StreamIndex stream);

  const RecordHeader &header_;
  const FunctionTable &functions_;
  EntryOutput &output_;
  RecordColumns columns_;
  /// By stack and module: the first stream of the module that shares the stack; it gets all the
  /// module's entries.
  std::map<std::pair<StreamIndex, uint64_t>, StreamIndex> streams_;
  StreamIndex seenStreams_ = 0;
  uint64_t eventsWithoutId_ = 0;
  uint64_t entriesWithoutCounts_ = 0;
};

} // namespace

StreamIndex EntrySink::streamOf(StreamIndex stack, const Function &function) {
  for (; seenStreams_ < header_.streams.size(); ++seenStreams_)
    if (const StreamInfo &stream = header_.streams[seenStreams_]; stream.stack)
      for (uint64_t module : stream.moduleIds())
        streams_.try_emplace({*stream.stack, module}, seenStreams_);
  auto own = streams_.find({stack, functions_.moduleIdOf(function)});
  return own == streams_.end() ? stack : own->second;
}

/// The function's id in entries of the stream.
int32_t EntrySink::idOf(StreamIndex stream, const Function &function) const {
  const StreamInfo &info = header_.streams[stream];
  return info.windows.empty() ? function.id
                              : info.idOf({functions_.moduleIdOf(function), function.id});
}

Error EntrySink::flush(StreamIndex stream) {
  Error error = columns_.empty() ? Error::success() : output_.write(columns_.batch(stream));
  columns_.clear();
  return error;
}

Error EntrySink::events(const EventBatch &batch) {
  columns_.clear();
  bool isShared = header_.streams[batch.stream].sharers > 0;
  StreamIndex stream = batch.stream;
  ArrayRef<LostRange> lost = batch.lost;
  auto keepLosses = [&](size_t position) {
    for (const LostRange &range : takeUpTo(lost, position))
      columns_.notes.push_back({uint32_t(columns_.ids.size()), NoteKind::lost, range.count, ""});
  };
  for (size_t i = 0; i < batch.events.size(); ++i) {
    keepLosses(i);
    const Event &event = batch.events[i];
    // Without an id, it is not a function of the program, and cannot have an entry.
    const Function &function = functions_[event.function];
    if (function.id == 0) {
      ++eventsWithoutId_;
      continue;
    }
    if (isShared)
      if (StreamIndex own = streamOf(batch.stream, function); own != stream) {
        if (Error error = flush(stream))
          return error;
        stream = own;
      }
    int32_t id = idOf(stream, function);
    auto add = [&](int32_t id) {
      columns_.times.push_back(event.time);
      columns_.ids.push_back(id);
      if (!isShared)
        columns_.addCounts(batch.counts, i);
      else if (!batch.counts.empty())
        ++entriesWithoutCounts_;
    };
    if (event.kind == EventKind::endTrapped)
      add(trapId);
    add(isEnd(event.kind) ? -id : id);
  }
  keepLosses(batch.events.size());
  return flush(stream);
}

Expected<ToolResult> warpo::dumpRecord(const DumpRequest &request, const ReadingOptions &options) {
  auto format = createFormat<RecordFormat>(request.format);
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

  // Of a pipe they stay unknown: then the writer says what it leaves out.
  if (Error error = (*input)->reader().addColumnsAhead().takeError())
    return error;
  const RecordHeader &header = (*input)->reader().header();
  FunctionTable &functions = (*input)->functions();
  if (request.demangle && !(*format)->canRead())
    functions.renameFunctions(demangleName);
  if (request.compress && !(*format)->canCompress())
    return unmetNeed("--compress", Need::compression, "'" + request.format + "' cannot");
  auto writer = (*format)->create((*file)->os(), {header, functions, (*input)->scale(),
                                                  (*input)->reader().probe(), request.compress});
  if (!writer)
    return makeError("--format=" + request.format + ": " + toString(writer.takeError()));
  auto filter = EntryFilter::create(request.modules, std::move(*globs), functions, header);
  if (!filter)
    return filter.takeError();
  EntryOutput output(std::move(*filter), std::move(*writer), **file);
  EntrySink entrySink(header, functions, output);
  // For a part of the record, or with another slicer, entries are made from events.
  auto result =
      options.choosePart() || options.slicer != "calls"
          ? (*input)->slice(entrySink)
          : (*input)->readEntries([&](const RecordBatch &batch) { return output.write(batch); });
  if (!result)
    return result.takeError();
  if (Error error = output.finish())
    return error;
  if (uint64_t leftOut = entrySink.eventsWithoutId())
    (*input)->damage().add(
        "begin or end left out of the dump, since it belongs to no single function",
        "begins and ends left out of the dump, since they belong to no single function", leftOut,
        [&] { return request.records.front(); });
  if (uint64_t leftOut = entrySink.entriesWithoutCounts())
    warn("the " + namesOf(header.columns()) + " of " + countOf(leftOut, "entry", "entries") +
         " is left out: with --one-stack a piece of a record has that of all modules together");
  for (const std::string &omission : output.omissions())
    warn("the format '" + request.format + "' has no place for " + omission);
  for (const std::string &module : output.filter().unusedModules())
    warn("no entry belongs to the module '" + module + "'");
  return (*input)->finish(**file);
}

Expected<ToolResult> warpo::recoverRecord(StringRef record) {
  std::string live = (record + ".live").str();
  uint64_t added = 0;
  switch (int error = warpo_recorder_recover(record.str().c_str(), &added)) {
  case 0:
    note((record + ": added " + countOf(added, "event") + " from " + live).str());
    return ToolResult::done;
  case EBUSY:
    return fileError(record, "is being recorded by a running process");
  case EINVAL:
    return fileError(live, "is damaged, of another version of the recorder, or of "
                           "another record");
  default:
    return fileError(live, std::error_code(error, std::generic_category()));
  }
}

Expected<ToolResult> warpo::summarizeRecord(const DumpRequest &request,
                                            const ReadingOptions &options) {
  auto input = RecordInput::openAll(request.records, options);
  if (!input)
    return input.takeError();
  auto file = OutputFile::create(request.output);
  if (!file)
    return file.takeError();
  RecordSummary summary((*input)->functions());
  // With an observer, entries outside of the window are counted as well.
  auto result = (*input)->slice(summary, /*maxSlices=*/0,
                                [](const RecordBatch &) { return Error::success(); });
  if (!result)
    return result.takeError();
  summary.print((*file)->os(), (*input)->reader().header(), (*input)->scale(), *result,
                (*input)->damage());
  return (*input)->finish(**file);
}

Expected<ToolResult> warpo::verifyRecord(const DumpRequest &request,
                                         const ReadingOptions &options) {
  const std::string &record = request.records.front();
  auto input = RecordInput::open(record, options);
  if (!input)
    return input.takeError();
  auto file = OutputFile::create(request.output);
  if (!file)
    return file.takeError();
  RecordReader &reader = (*input)->reader();
  Progress progress((*input)->title(), reader.inputSize(), options.showsProgress());
  auto breaches = reportBreaches(reader, (*input)->functions(), record == "-" ? "<stdin>" : record,
                                 (*file)->os(), [&] {
                                   progress.update(reader.bytesRead());
                                   return (*file)->check();
                                 });
  if (!breaches) {
    (*input)->reportDamage();
    return breaches.takeError();
  }
  // Only reports damage of the mapping, as that of the record is in the output.
  auto verdict = (*input)->finish(**file);
  if (!verdict || *breaches == 0)
    return verdict;
  if (options.strict)
    return makeError(record + ": " + countOf(*breaches, "breach", "breaches"));
  return ToolResult::damaged;
}
