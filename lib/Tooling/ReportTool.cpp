//===- ReportTool.cpp -----------------------------------------------------===//

#include "warpo/Tooling/ReportTool.h"
#include "warpo/Output/Quantities.h"
#include "warpo/Report/Reports.h"
#include "warpo/Report/TableFormat.h"
#include "warpo/Support/Errors.h"
#include "warpo/Support/OutputFile.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Process.h"

using namespace llvm;
using namespace warpo;

// A line as wide as the terminal is; where there is none, as wide as one always was.
static TableStyle styleFor(StringRef output) {
  TableStyle style;
  bool toTerminal = output == "-" && sys::Process::StandardOutIsDisplayed();
  unsigned columns = toTerminal ? sys::Process::StandardOutColumns() : 0;
  unsigned asked = 0;
  if (std::optional<std::string> variable = sys::Process::GetEnv("COLUMNS"))
    if (!StringRef(*variable).getAsInteger(10, asked) && asked > 0)
      columns = asked;
  if (columns > 0)
    style.width = std::max(columns, 40u);
  style.colour = toTerminal && !sys::Process::GetEnv("NO_COLOR");
  return style;
}

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
  // What a row is about is always shown, and last.
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

/// What all reports ask for of their table.
struct Arrangement {
  StringRef sort;
  ArrayRef<std::string> columns;
  uint64_t top;
};

} // namespace

static Error arrange(Table &table, const Arrangement &wanted) {
  if (!wanted.sort.empty()) {
    if (table.isTree)
      return makeError("--sort: a tree has an order of its own");
    auto column = columnCalled(table, wanted.sort, "sort");
    if (!column)
      return column.takeError();
    sortRows(table, *column);
    table.require(wanted.sort);
  }
  if (wanted.top > 0 && table.rows.size() > wanted.top) {
    uint64_t left = table.rows.size() - wanted.top;
    table.rows.resize(wanted.top);
    table.notes.push_back(countOf(left, "further row") + "; --top=0 shows all");
  }
  return wanted.columns.empty() ? Error::success() : chooseColumns(table, wanted.columns);
}

namespace {

/// An output and the form of the table in it: opened before the long work, so that what cannot be
/// written is told at once.
class ReportOutput {
public:
  static Expected<ReportOutput> open(StringRef path, StringRef formatName) {
    ReportOutput output;
    auto format = warpo::Registry<TableFormat>::create(formatName);
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

  Error write(const Table &table) {
    format_->write(table, style_, file_->os());
    return file_->commit();
  }

private:
  std::unique_ptr<TableFormat> format_;
  std::unique_ptr<OutputFile> file_;
  TableStyle style_;
};

/// Collects the distribution of calls over all records.
class DistributionWatcher : public RecordWatcher {
public:
  EventSink &watch(RecordInput &) override { return current_.emplace(); }
  void watched(RecordInput &record, const SlicingResult &) override {
    calls_.add(*current_, record.functions(), record.scale());
    current_.reset();
  }
  const CallDistribution &calls() const { return calls_; }

private:
  CallDistribution calls_;
  std::optional<CallStatistics> current_;
};

/// Makes the table of the slowest slices while their functions are known.
class SlowSliceWatcher : public RecordWatcher {
public:
  explicit SlowSliceWatcher(size_t wanted) : slices_(wanted) {}

  EventSink &watch(RecordInput &) override { return slices_; }
  void watched(RecordInput &record, const SlicingResult &result) override {
    table_ = slowSliceTable(slices_.take(), record.functions(), record.scale(),
                            result.firstTime.value_or(0));
    table_.title = record.title();
    seen_ = true;
    hasOnlySamples_ = result.entries == 0 && result.samples > 0;
  }
  Table &table() { return table_; }
  bool seenRecord() const { return seen_; }
  bool hasOnlySamples() const { return hasOnlySamples_; }

private:
  SlowSlices slices_;
  Table table_;
  bool seen_ = false;
  bool hasOnlySamples_ = false;
};

} // namespace

static Expected<Table> makeTable(const ReportRequest &request, const Profile &profile,
                                 const CallDistribution &calls) {
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
  if (none_of(profile.functions,
              [&](const ProfileFunction &function) { return globs->matches(function.name); }))
    return makeError("no function's name matches '" + join(request.functions, "', '") + "'");
  return callers ? callerTable(profile, *globs) : calleeTable(profile, *globs);
}

static Expected<ToolResult> writeSlowSlices(const ReportRequest &request,
                                            const ReadingOptions &options,
                                            const ProfileOptions &profileOptions) {
  if (request.inputs.size() > 1)
    return makeError("--slowest-slices looks at one record: slices of several have no common "
                     "numbers");
  for (const cl::Option *option : {static_cast<const cl::Option *>(&profileOptions.weight),
                                   static_cast<const cl::Option *>(&profileOptions.phases)})
    if (option->getNumOccurrences() > 0)
      return makeError("--slowest-slices goes by the time of calls from the host: --" +
                       option->ArgStr + " does not go with it");
  auto output = ReportOutput::open(request.output, request.format);
  if (!output)
    return output.takeError();
  SlowSliceWatcher watcher(request.slices);
  ProfileReader reader(options, profileOptions.source(), &watcher);
  if (auto profile = reader.read(request.inputs.front()); !profile)
    return profile.takeError();
  if (!watcher.seenRecord())
    return makeError("--slowest-slices needs events, and a saved profile has sums only");
  if (watcher.hasOnlySamples())
    return makeError("--slowest-slices needs events, and the record has samples only");
  if (Error error = arrange(watcher.table(), {request.sort, request.columns, 0}))
    return error;
  if (Error error = output->write(watcher.table()))
    return error;
  return reader.result();
}

/// What a record says of its runs' phases, which stand at its end.
static Error readPhases(RecordInput &record, std::vector<PhasesOfRun> &runs) {
  const RecordHeader &header = record.reader().header();
  SectionSums sums(record.functions(), header);
  if (auto sliced = record.slice(sums); !sliced)
    return sliced.takeError();
  auto sections = sums.take();
  if (header.phases.empty() && sections.empty())
    return makeError(record.title() + ": this record does not say what the host did; warpo-run "
                                      "does, in the format warpo");
  // Where fuel is the only clock, there are no times, whatever --rate says.
  std::optional<TimeScale> scale = header.timeIsFuel ? std::nullopt : record.scale();
  if (header.timeIsFuel)
    for (auto &[run, ofRun] : sections)
      for (SectionSum &section : ofRun)
        section.fuel = section.time;
  StringMap<size_t> places;
  auto runCalled = [&](StringRef name) -> PhasesOfRun & {
    auto [place, isNew] = places.try_emplace(name, runs.size());
    if (isNew)
      runs.push_back({name.empty() ? record.title() : name.str(), {}, {}, scale});
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
  if (profileOptions.weight.getNumOccurrences() > 0)
    return makeError("--weight chooses among the weights of calls; phases have time and ticks");
  auto output = ReportOutput::open(request.output, request.format);
  if (!output)
    return output.takeError();
  std::vector<PhasesOfRun> runs;
  ToolResult result{};
  for (const std::string &path : request.inputs) {
    auto record = RecordInput::open(path, options);
    if (!record)
      return record.takeError();
    if (Error error = readPhases(**record, runs))
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

Expected<ToolResult> warpo::writeReport(const ReportRequest &request, const ReadingOptions &options,
                                        const ProfileOptions &profileOptions) {
  if (request.kind == ReportKind::slowestSlices)
    return writeSlowSlices(request, options, profileOptions);
  if (request.kind == ReportKind::phases)
    return writePhases(request, options, profileOptions);
  auto views = ProfileViews::create(profileOptions);
  if (!views)
    return views.takeError();
  auto output = ReportOutput::open(request.output, request.format);
  if (!output)
    return output.takeError();
  DistributionWatcher watcher;
  bool wantsCalls = request.kind == ReportKind::functions && !profileOptions.noTime;
  ProfileReader reader(options, profileOptions.source(), wantsCalls ? &watcher : nullptr);
  auto profile = reader.readMerged(request.inputs);
  if (!profile)
    return profile.takeError();
  auto viewed = views->apply(std::move(*profile));
  if (!viewed)
    return viewed.takeError();
  auto table = makeTable(request, *viewed, watcher.calls());
  if (!table)
    return table.takeError();
  if (wantsCalls && watcher.calls().empty() && !table->rows.empty())
    table->notes.push_back(viewed->findWeight("samples")
                               ? "samples tell nothing of single calls"
                               : "a saved profile has sums only: nothing is known of single calls");
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
  table.title = diffTitle(diffOptions, request.inputs);
  if (Error error = arrange(table, {request.sort, request.columns, request.top}))
    return error;
  if (Error error = output->write(table))
    return error;
  return verdictOf(*diff, diffOptions, reader.result());
}
