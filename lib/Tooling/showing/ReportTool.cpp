//===- ReportTool.cpp -----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Tooling/ReportTool.h"
#include "../common/FormatHint.h"
#include "../common/NearNames.h"
#include "../common/TerminalStyle.h"
#include "../reading/HeapFolder.h"
#include "warpo/Output/Quantities.h"
#include "warpo/Report/CommandNote.h"
#include "warpo/Report/HeapTable.h"
#include "warpo/Report/Reports.h"
#include "warpo/Report/TableFormat.h"
#include "warpo/Slice/WithoutSuspensions.h"
#include "warpo/Support/Errors.h"
#include "warpo/Support/OutputFile.h"

using namespace llvm;
using namespace warpo;

static Expected<size_t> columnCalled(const Table &table, StringRef name, StringRef option) {
  if (std::optional<size_t> column = table.findColumn(name))
    return *column;
  std::string known;
  for (const Column &column : table.columns)
    known.append(known.empty() ? "" : ", ").append(column.name);
  return makeError("--" + option + "=" + name + ": the report has no such column (known: " + known +
                   ")");
}

static Error chooseColumns(Table &table, ArrayRef<std::string> names) {
  std::vector<size_t> chosen;
  for (const std::string &name : names) {
    auto column = columnCalled(table, name, "columns");
    if (!column)
      return column.takeError();
    if (*column + 1 != table.columns.size() && !is_contained(chosen, *column))
      chosen.push_back(*column);
  }
  // The last column, the subject of the row, is always shown.
  chosen.push_back(table.columns.size() - 1);
  std::vector<Column> columns;
  for (size_t column : chosen) {
    columns.push_back(table.columns[column]);
    columns.back().dispensability = 0;
  }
  for (Row &row : table.rows) {
    std::vector<Cell> cells;
    for (size_t column : chosen)
      cells.push_back(std::move(row.cells[column]));
    row.cells = std::move(cells);
  }
  table.columns = std::move(columns);
  return Error::success();
}

namespace {

/// Options on the table that all reports share.
struct Arrangement {
  StringRef sort;
  ArrayRef<std::string> columns;
  uint64_t top;
};

} // namespace

static Error arrange(Table &table, const Arrangement &wanted) {
  if (!wanted.sort.empty()) {
    auto column = columnCalled(table, wanted.sort, "sort");
    if (!column)
      return column.takeError();
    sortRows(table, *column);
    table.require(wanted.sort);
  }
  if (wanted.top > 0 && table.rows.size() > wanted.top) {
    uint64_t left = table.rows.size() - wanted.top;
    table.rows.resize(wanted.top);
    table.notes.push_back(countOf(left, "further row") + "; warpo-report --top=0 shows all");
  }
  return wanted.columns.empty() ? Error::success() : chooseColumns(table, wanted.columns);
}

namespace {

/// An output and its table format: opened before inputs are read, so that an unwritable output is
/// reported at once.
class ReportOutput {
public:
  static Expected<ReportOutput> open(StringRef path, StringRef formatName) {
    ReportOutput output;
    auto format = createFormat<TableFormat>(formatName);
    if (!format)
      return format.takeError();
    auto file = OutputFile::create(path);
    if (!file)
      return file.takeError();
    output.format_ = std::move(*format);
    output.file_ = std::move(*file);
    output.style_ = styleFor(path);
    return output;
  }

  bool showsSingleCalls() const { return format_->showsSingleCalls(); }
  Error write(const Table &table) {
    format_->write(table, style_, file_->os());
    return file_->commit();
  }

private:
  std::unique_ptr<TableFormat> format_;
  std::unique_ptr<OutputFile> file_;
  TableStyle style_;
};

/// Makes the table of the slowest slices while the table of functions exists.
class SlowSliceWatcher : public RecordWatcher {
public:
  /// `option`: see slowSliceTable().
  SlowSliceWatcher(size_t wanted, SlowSlices::Suspensions suspensions,
                   CallOptions::Renaming renaming, StringRef option)
      : wanted_(wanted), suspensions_(suspensions), renaming_(renaming), option_(option) {}

  EventSink &watch(RecordInput &record) override {
    if (renaming_)
      record.functions().renameFunctions(renaming_);
    return slices_.emplace(wanted_, record.functions(), suspensions_);
  }
  void watched(RecordInput &record, const SlicingResult &result) override {
    table_ = slowSliceTable(slices_->take(), record.functions(), record.scale(),
                            result.firstTime.value_or(0), option_);
    table_.title = record.title();
  }
  Table &table() { return table_; }

private:
  size_t wanted_;
  SlowSlices::Suspensions suspensions_;
  std::optional<SlowSlices> slices_;
  CallOptions::Renaming renaming_;
  StringRef option_;
  Table table_;
};

} // namespace

static Expected<Table> makeTable(const ReportRequest &request, const Profile &profile,
                                 const CallDistribution &calls, const CallLinesMap &callLines) {
  switch (request.kind) {
  case ReportKind::functions:
    return functionTable(profile, calls);
  case ReportKind::tree:
    return treeTable(profile);
  case ReportKind::topLevel:
    return topLevelTable(profile);
  default:
    break;
  }
  bool callers = request.kind == ReportKind::callers;
  auto globs = NameGlobs::create(request.functions, callers ? "callers" : "callees");
  if (!globs)
    return globs.takeError();
  std::vector<StringRef> names;
  for (const ProfileFunction &function : profile.functions)
    names.push_back(function.name);
  if (none_of(names, [&](StringRef name) { return globs->matches(name); }))
    return noFunctionMatches(request.functions, names);
  return callers ? callerTable(profile, *globs, callLines)
                 : calleeTable(profile, *globs, callLines);
}

static Expected<ToolResult> writeSlowSlices(const ReportRequest &request,
                                            const ReadingOptions &options,
                                            const ProfileOptions &profileOptions) {
  auto output = ReportOutput::open(request.output, request.format);
  if (!output)
    return output.takeError();
  using Suspensions = SlowSlices::Suspensions;
  SlowSliceWatcher watcher(request.slices,
                           profileOptions.wall ? Suspensions::counted : Suspensions::leftOut,
                           profileOptions.renaming(), options.oneStack ? "--one-stack" : "");
  ProfileReader reader(options, profileOptions.source(), &watcher);
  if (auto profile = reader.read(request.inputs.front()); !profile)
    return profile.takeError();
  if (Error error = arrange(watcher.table(), {request.sort, request.columns, 0}))
    return error;
  if (Error error = output->write(watcher.table()))
    return error;
  return reader.result();
}

/// Converts a table of functions to one of groups, without columns on single calls.
static void showGroups(Table &table, StringRef group) {
  if (table.columns.back().name == "function")
    table.columns.back().name = group.str();
  for (StringRef column : {"mean", "median", "p90", "p99", "max", "depth"})
    if (std::optional<size_t> found = table.findColumn(column))
      table.eraseColumns(*found, 1);
}

/// Reads the phases of a record's runs, which are stored at its end.
static Error readPhases(RecordInput &record, bool countsSuspensions,
                        std::vector<PhasesOfRun> &runs) {
  const RecordHeader &header = record.reader().header();
  SectionSums sums(record.functions(), header);
  WithoutSuspensions running(record.functions(), /*suspended=*/std::nullopt, sums);
  if (auto sliced = record.slice(countsSuspensions ? static_cast<EventSink &>(sums) : running);
      !sliced)
    return sliced.takeError();
  auto sections = sums.take();
  if (header.phases.empty() && sections.empty())
    return makeError(
        record.title() +
        ": this record has no phases of the host; warpo-run records them, in the format warpo");
  StringMap<size_t> places;
  auto runCalled = [&](StringRef name) -> PhasesOfRun & {
    auto [place, isNew] = places.try_emplace(name, runs.size());
    if (isNew)
      runs.push_back({name.empty() ? record.title() : name.str(), {}, {}, record.measures()});
    return runs[place->second];
  };
  for (const RecordedPhase &phase : header.phases) {
    std::vector<RecordedPhase> &phases = runCalled(phase.run).phases;
    phases.push_back(phase);
    phases.back().unit = header.unitOf(phase).str();
  }
  for (auto &[run, ofRun] : sections)
    runCalled(run).sections = std::move(ofRun);
  return Error::success();
}

static Expected<ToolResult> writePhases(const ReportRequest &request, const ReadingOptions &options,
                                        const ProfileOptions &profileOptions) {
  auto output = ReportOutput::open(request.output, request.format);
  if (!output)
    return output.takeError();
  std::vector<PhasesOfRun> runs;
  ToolResult result{};
  for (const std::string &path : request.inputs) {
    auto record = RecordInput::open(path, options);
    if (!record)
      return record.takeError();
    if (Error error = readPhases(**record, profileOptions.wall, runs))
      return error;
    auto finished = (*record)->finish();
    if (!finished)
      return finished.takeError();
    result = std::max(result, *finished);
  }
  Table table = phaseTable(runs);
  if (profileOptions.noTime)
    table.eraseColumns(*table.findColumn("time"), 1);
  if (Error error = arrange(table, {request.sort, request.columns, request.top}))
    return error;
  if (Error error = output->write(table))
    return error;
  return result;
}

namespace {

/// Passes on the heap events of a record, and the times of other entries.
class HeapSink : public EventSink {
public:
  explicit HeapSink(HeapFolder &folder) : folder_(folder) {}

  Error events(const EventBatch &batch) override {
    if (!batch.events.empty())
      folder_.noteTime(batch.events.front().time);
    return Error::success();
  }
  Error beside(const SideBatch &batch) override {
    return folder_.add(batch.stream, batch.entries.heap);
  }
  Error finish() override { return folder_.finish(); }

private:
  HeapFolder &folder_;
};

} // namespace

Expected<uint64_t> warpo::readAllowedLeaks(StringRef text) {
  uint64_t bytes = 0;
  if (!text.empty() && text.getAsInteger(10, bytes))
    return makeError("--fail-on-leaks=" + text + ": not a number of bytes");
  return bytes;
}

static Expected<ToolResult> writeHeap(const ReportRequest &request, const ReadingOptions &options,
                                      const ProfileOptions &profileOptions) {
  auto output = ReportOutput::open(request.output, request.format);
  if (!output)
    return output.takeError();
  auto input = RecordInput::open(request.inputs.front(), options);
  if (!input)
    return input.takeError();
  RecordInput &record = **input;
  if (profileOptions.renaming())
    record.functions().renameFunctions(profileOptions.renaming());
  HeapFolder folder(record, options, /*at=*/"");
  if (Error error = folder.lookAhead())
    return error;
  HeapSink sink(folder);
  if (auto sliced = record.slice(sink); !sliced)
    return sliced.takeError();
  if (folder.events() == 0)
    return makeError(record.title() +
                     " has no heap events: no memory grew, and no call of an allocator "
                     "was recorded: " +
                     howToNameAllocators);
  const HeapAnalysis &heap = folder.analysis();
  // An allocation that was not sampled is not recorded, so its leak would be missed.
  if (request.allowedLeaks && heap.isSampled())
    return makeError(record.title() + ": --fail-on-leaks needs each allocation, but this heap was "
                                      "sampled");
  const HeapTotals &totals = heap.totals();
  if (request.allowedLeaks && !totals.sawAllocators())
    return makeError(record.title() +
                     ": --fail-on-leaks needs allocations, but no call of an allocator was "
                     "recorded: " +
                     howToNameAllocators);
  Table table = heapTable(heap, record.functions(),
                          {.scale = record.scale(),
                           .unit = record.measures().front().unit,
                           .beganLate = folder.beganLate(),
                           .maxPaths = request.top},
                          record.title());
  // A lost free cannot be distinguished from a missing one.
  if (!record.damage().empty())
    table.notes.push_back("the record is damaged or has lost events: what is live may be too much");
  if (Error error = arrange(table, {"", request.columns, 0}))
    return error;
  if (Error error = output->write(table))
    return error;
  auto result = record.finish();
  uint64_t left = totals.end.live.bytes;
  if (!result || !request.allowedLeaks || left <= *request.allowedLeaks)
    return result;
  explainExitCode(countOf(totals.end.live.objects(), "object") + " of " +
                  formatWeight(left, "bytes") + " not freed at the end, more than " +
                  formatWeight(*request.allowedLeaks, "bytes"));
  return *result == ToolResult::damaged ? *result : ToolResult::increased;
}

Error warpo::writeTable(const ReportRequest &request, function_ref<Expected<Table>()> make) {
  auto output = ReportOutput::open(request.output, request.format);
  if (!output)
    return output.takeError();
  auto table = make();
  if (!table)
    return table.takeError();
  if (Error error = arrange(*table, {request.sort, request.columns, request.top}))
    return error;
  return output->write(*table);
}

Expected<ToolResult> warpo::writeReport(const ReportRequest &request, const ReadingOptions &options,
                                        const ProfileOptions &profileOptions) {
  if (request.kind == ReportKind::slowestSlices)
    return writeSlowSlices(request, options, profileOptions);
  if (request.kind == ReportKind::phases)
    return writePhases(request, options, profileOptions);
  if (request.kind == ReportKind::heap)
    return writeHeap(request, options, profileOptions);
  auto views = ProfileViews::create(profileOptions);
  if (!views)
    return views.takeError();
  auto output = ReportOutput::open(request.output, request.format);
  if (!output)
    return output.takeError();
  CallDistribution calls;
  bool wantsCalls = output->showsSingleCalls() && request.kind == ReportKind::functions &&
                    !profileOptions.noTime && profileOptions.timeFrom.empty() && !views->group();
  ProfileSource source = profileOptions.source();
  source.isFlat = request.kind == ReportKind::functions && !views->needContexts();
  ProfileReader reader(options, source, /*watcher=*/nullptr, wantsCalls ? &calls : nullptr);
  if (request.kind == ReportKind::callers || request.kind == ReportKind::callees)
    reader.collectCallLines();
  auto profile = reader.readMerged(request.inputs);
  if (!profile)
    return profile.takeError();
  auto viewed = views->apply(std::move(*profile));
  if (!viewed)
    return viewed.takeError();
  auto table = makeTable(request, *viewed, calls,
                         // In an inverted profile, callers are in place of callees.
                         profileOptions.invert ? CallLinesMap() : reader.callLines());
  if (!table)
    return table.takeError();
  if (views->group())
    showGroups(*table, profileOptions.by);
  // A record with only losses has no single calls.
  bool hasFunctions = any_of(viewed->functions, [](const ProfileFunction &function) {
    return function.kind != FunctionKind::pseudo;
  });
  bool isOfHeap = isHeapWeight(viewed->weights[viewed->shown].name);
  if (wantsCalls && calls.empty() && hasFunctions && !table->rows.empty() && !isOfHeap)
    table->notes.push_back(viewed->findWeight("samples")
                               ? "samples have no data on single calls"
                               : "a saved profile has sums only, no data on single calls");
  if (Error error = arrange(*table, {request.sort, request.columns, request.top}))
    return error;
  if (Error error = output->write(*table))
    return error;
  return reader.result();
}

Expected<ToolResult> warpo::writeDiffReport(const ReportRequest &request,
                                            const ReadingOptions &options,
                                            const ProfileOptions &profileOptions,
                                            const DiffOptions &diffOptions) {
  auto views = ProfileViews::create(profileOptions);
  if (!views)
    return views.takeError();
  auto output = ReportOutput::open(request.output, request.format);
  if (!output)
    return output.takeError();
  ProfileReader reader(options, profileOptions.source());
  auto diff = readDiff(diffOptions, request.inputs, reader, *views);
  if (!diff)
    return diff.takeError();
  Table table = diffTable(*diff);
  auto verdict = verdictText(*diff, diffOptions);
  if (!verdict)
    return verdict.takeError();
  table.title = diffTitle(diffOptions, request.inputs) + ": " + *verdict;
  if (Error error = arrange(table, {request.sort, request.columns, request.top}))
    return error;
  table.notes.push_back(commandNote(commandLine()));
  if (Error error = output->write(table))
    return error;
  return verdictOf(*diff, diffOptions, reader.result());
}
