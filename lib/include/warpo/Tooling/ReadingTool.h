//===- ReadingTool.h - Shared by tools that read records ------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The options --mapping, --rate, --slicer, …, and the steps from them to events: opens the record,
// loads the mapping, slices, cuts the window and reports damage.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_TOOLING_READINGTOOL_H
#define WARPO_TOOLING_READINGTOOL_H

#include "warpo/Output/OutputOrigin.h"
#include "warpo/Output/SourceUrl.h"
#include "warpo/Record/FunctionTable.h"
#include "warpo/Record/MergedRecord.h"
#include "warpo/Record/ProbeShare.h"
#include "warpo/Record/ProbeSubtraction.h"
#include "warpo/Record/RecordFormat.h"
#include "warpo/Slice/EventWindow.h"
#include "warpo/Slice/OverlapFinder.h"
#include "warpo/Slice/Slicing.h"
#include "warpo/Support/SourcePaths.h"
#include "warpo/Tooling/ToolMain.h"
#include <memory>
#include <optional>

namespace warpo {

/// The part of a record with calls and samples to show; any: samples if there are no calls.
enum class RecordPart : uint8_t { any, calls, samples };

/// The command line options of a tool that reads records. A tool has one static object, so that
/// the options are registered before main.
struct ReadingOptions {
  /// `showsFunctions`: whether the tool shows functions, optionally by how they were entered, and
  /// with their source locations. `takesSymbols`: whether it has --symbols and --places-from, for
  /// names and locations from other files.
  explicit ReadingOptions(bool showsFunctions, bool takesSymbols = true);

  /// Prints the list requested by --list-slicers or --list-input-formats; nothing if neither was
  /// given.
  std::optional<llvm::Expected<ToolResult>> list() const;
  /// The value of --rate; nothing if it was not given.
  llvm::Expected<std::optional<TimeScale>> givenScale() const;
  /// The values of --trim-path and --source-root; nothing if neither was given.
  std::optional<SourcePaths> sourcePaths() const;
  bool showsProgress() const { return !noProgress && !(quiet && *quiet); }
  /// Whether only a part of the record was requested.
  bool choosePart() const {
    return from.getNumOccurrences() || to.getNumOccurrences() || slices.getNumOccurrences();
  }

  TextOption mapping{
      "mapping", inputOption("Names of the functions: a text or JSON mapping", "file"),
      namesInput(),
      isSingle().because("--trace-point-mapping-file and --trace-point-mapping-json-file "
                         "are other names for it")};
  TextOption rate{"rate", inputOption("Nanoseconds per count of the clock, as in 0.4", "ns"),
                  needs(Need::clock)};
  TextOption inputFormat{"input-format",
                         inputOption("Format of the record (default: by its first bytes)", "name")};
  FlagOption listInputFormats{"list-input-formats", inputOption("List the formats of records")};
  TextOption slicer{"slicer",
                    viewOption("How to derive calls from the record (default: calls)", "name"),
                    llvm::cl::init("calls"), needs(Need::singleCalls)};
  FlagOption listSlicers{"list-slicers", viewOption("List the slicers")};
  TextOption from{"from",
                  viewOption("Leave out everything before this time since the start, as in 1.5s, "
                             "20ms, 3us, 40ns or counts",
                             "time"),
                  needs(Need::singleCalls), lacks(Need::wholeRecord)};
  TextOption to{"to", viewOption("Leave out everything after this time", "time"),
                needs(Need::singleCalls), lacks(Need::wholeRecord)};
  TextOption slices{
      "slices", viewOption("Only these calls from the host, as in 3..5; the first is 1", "A..B"),
      needs(Need::singleCalls), needs(Need::calls), lacks(Need::wholeRecord)};
  FlagOption oneStack{
      "one-stack",
      viewOption("Put all modules on one stack, or on one for each thread that the record knows"),
      needs(Need::singleCalls)};
  FlagOption subtractOverhead{"subtract-overhead",
                              viewOption("Subtract the cost of recording from the times, as the "
                                         "record shows it"),
                              needs(Need::recordingCost)};
  FlagOption strict{"strict", inputOption("Fail if the input is damaged")};
  FlagOption noProgress{"no-progress", outputOption("Show no progress bar")};
  /// None in a tool that has a `-q` of its own.
  std::optional<FlagOption> quiet;
  std::optional<TextsOption> symbols;
  std::optional<TextsOption> placesFrom;
  std::optional<FlagOption> showKinds;
  std::optional<FlagOption> joinImports;
  std::optional<TextsOption> trimPath;
  std::optional<TextOption> sourceRoot;
  std::optional<FlagOption> noInlines;
  llvm::cl::alias mappingText{"trace-point-mapping-file",
                              llvm::cl::desc("The same as --mapping, for a text"),
                              llvm::cl::aliasopt(mapping)};
  llvm::cl::alias mappingJson{"trace-point-mapping-json-file",
                              llvm::cl::desc("The same as --mapping, for JSON"),
                              llvm::cl::aliasopt(mapping)};
  llvm::cl::alias rateLong{"count-to-perfetto-timestamp-rate", llvm::cl::desc("The same as --rate"),
                           llvm::cl::aliasopt(rate)};
};

/// The option of a tool with outputs that support links.
struct LinkOptions {
  /// Empty if it was not given.
  llvm::Expected<SourceUrl> url() const;

  TextOption sourceUrl{
      "source-url",
      outputOption("Link functions to their source, as in https://example.org/{file}#L{line}",
                   "url"),
      excludes({"diff"})};
};

/// The option of a tool with outputs that support labels.
struct LabelOptions {
  /// Fails for a label without a key, or a duplicate key.
  llvm::Expected<std::vector<OutputLabel>> labels() const;

  TextsOption label{
      "label",
      outputOption("A label for the input, as in host=web-3, in formats that support it",
                   "key=value"),
      excludes({"diff", "time-order"})};
};

/// The options of a tool that shows calls, over time or as sums.
struct CallOptions {
  /// Fails for an invalid value.
  llvm::Error check() const;
  bool phaseRoots() const { return phases == "roots"; }
  /// Converts a function's name for display; null: no conversion. Functions that get equal names
  /// stay separate, as events identify functions by number.
  using Renaming = std::string (*)(llvm::StringRef);
  Renaming renaming() const;

  llvm::cl::opt<uint32_t> maxDepth{
      "max-depth", viewOption("Count deeper calls as part of the last level shown", "n")};
  FlagOption maxDepthDrop{"max-depth-drop", viewOption("Leave out calls deeper than --max-depth"),
                          needs("max-depth")};
  FlagOption noDemangle{"no-demangle",
                        viewOption("Show C++ and Rust names as they are in the module")};
  FlagOption fullNames{"full-names", viewOption("Show C++ names with return types and ABI tags"),
                       excludes({"no-demangle"})};
  /// `roots`, or empty if given without a value, for the report on phases.
  TextOption phases{"phases",
                    viewOption("roots: the host's phases as the outermost frames", "roots"),
                    llvm::cl::ValueOptional,
                    needs(Need::wholeRecord).when("roots"),
                    needs(Need::singleCalls).when("roots"),
                    excludes({"subtract-overhead"}).when("roots"),
                    excludes({"slowest-slices"}).when("roots"),
                    lacks(Need::weights).when(""),
                    isAlternative().when(""),
                    isSingle()};
};

/// A record opened according to the options.
class RecordInput {
public:
  /// `path` may be `-`. Fails for a saved profile, which has no events.
  static llvm::Expected<std::unique_ptr<RecordInput>> open(llvm::StringRef path,
                                                           const ReadingOptions &options);
  /// Opens several records as one; reports on stderr those that cannot be aligned.
  static llvm::Expected<std::unique_ptr<RecordInput>> openAll(llvm::ArrayRef<std::string> paths,
                                                              const ReadingOptions &options);
  /// The same for an open input. `mapping`, unless empty, replaces the value of --mapping.
  static llvm::Expected<std::unique_ptr<RecordInput>>
  open(std::unique_ptr<InputStream> stream, llvm::StringRef mapping, const ReadingOptions &options);

  RecordReader &reader() { return *reader_; }
  FunctionTable &functions() { return *functions_; }
  DamageReport &damage() { return damage_; }
  /// From --rate, otherwise from the record; nothing if unknown.
  std::optional<TimeScale> scale() const { return scale_; }
  /// The record's measures, with that scale.
  std::vector<Measure> measures() const;
  /// With --subtract-overhead, the subtraction of each record; otherwise empty.
  llvm::ArrayRef<const ProbeSubtraction *> subtractions() const { return subtractions_; }
  /// The first record's path, or `<stdin>`, for messages.
  llvm::StringRef name() const { return paths_.front(); }
  /// The record's file name without its folders.
  std::string title() const;

  /// Slices the record into `sink`, limited by --from, --to and --slices, until `maxSlices` slices
  /// have ended (0: no limit). `observe`, if given, is called with each batch as recorded,
  /// including those outside of the window; without it, these may be skipped and are then missing
  /// from the result. If this fails, damage up to the error is reported on stderr.
  llvm::Expected<SlicingResult>
  slice(EventSink &sink, uint64_t maxSlices = 0,
        llvm::function_ref<llvm::Error(const RecordBatch &)> observe = nullptr);
  /// Calls `observe` with the entries as recorded, without stacks. Counts and checks like slice().
  llvm::Expected<SlicingResult>
  readEntries(llvm::function_ref<llvm::Error(const RecordBatch &)> observe);

  /// To be called if the record's times are not shown: disables notes on the cost of recording.
  void ignoreProbes() { reportsProbes_ = false; }
  /// The cost of an entry, once the record has been read; 0 if recording took a negligible part of
  /// the time.
  ProbeCost notableProbeCost() const;

  /// Reports on stderr how much was subtracted and what was damaged. Returns the result for the
  /// exit code; with --strict, damage is an error.
  llvm::Expected<ToolResult> finish();
  /// The same, and then commits the output: if --strict rejects the input, no file is left.
  llvm::Expected<ToolResult> finish(class OutputFile &file);
  /// Reports damage on stderr, for a caller that ends with another error.
  void reportDamage() const;

private:
  llvm::Expected<SlicingResult> read(EventSink &sink, uint64_t maxSlices,
                                     llvm::function_ref<llvm::Error(const RecordBatch &)> observe,
                                     OverlapFinder *overlaps);
  llvm::Error loadMapping(llvm::StringRef given);
  /// Opens the stream in the requested format, and subtracts overhead if requested.
  llvm::Expected<std::unique_ptr<RecordReader>> openReader(std::unique_ptr<InputStream> stream);
  /// Subtracts the cost of recording from the record opened last.
  llvm::Expected<std::unique_ptr<RecordReader>>
  subtractOverhead(std::unique_ptr<RecordReader> reader, bool canReadTwice);
  /// The time of the earliest entry of the record opened last; nothing if it has none, or can be
  /// read only once.
  llvm::Expected<std::optional<uint64_t>> findEarliest(RecordReader &reader, llvm::StringRef path,
                                                       bool canReadTwice) const;
  llvm::Error mergeReaders(llvm::ArrayRef<std::string> paths);
  /// Passes the source locations of --places-from and the names of --symbols to the table of
  /// functions.
  llvm::Error nameFunctions();
  /// All modules of the records, including those declared late; for pipes only the first.
  llvm::Expected<std::vector<RecordedModule>> findModules() const;
  /// Opens a file of the input again, without modifications of its entries.
  llvm::Expected<std::unique_ptr<RecordReader>> openAgain(llvm::StringRef path) const;
  void reportSubtraction() const;
  void reportProbes() const;
  /// Reports names or a rate that the record lacks.
  void reportMissing() const;
  std::optional<ProbeShare::Share> notableProbes() const;
  void reportLateStart(uint64_t from, const SlicingResult &result) const;
  /// Reports that the window counts from an entry `counts` after the earliest.
  void reportEarlierEntry(uint64_t counts) const;
  void reportOverlap(const OverlapFinder &finder) const;
  /// Adds damage found in ids and source locations of functions.
  void addFunctionDamage();
  bool showsKinds() const { return options_.showKinds && *options_.showKinds; }
  bool joinsImports() const { return options_.joinImports && *options_.joinImports; }
  explicit RecordInput(const ReadingOptions &options) : options_(options) {}

  const ReadingOptions &options_;
  /// As shown in messages: `<stdin>` for standard input.
  std::vector<std::string> paths_;
  /// Empty: none.
  std::string mapping_;
  DamageReport damage_;
  std::unique_ptr<RecordReader> reader_;
  /// Owned by `reader_`.
  std::vector<const ProbeSubtraction *> subtractions_;
  /// Whether switches move with the entries; false for a pipe.
  bool switchesMove_ = true;
  ProbeShare probeShare_;
  bool reportsProbes_ = true;
  std::unique_ptr<FunctionTable> functions_;
  std::optional<TimeScale> scale_;
};

/// The displayed name of an input, by the name of its stream: without folders.
std::string inputTitle(llvm::StringRef name);

/// Parses a time as in --from and --to: `1.5s`, `20ms`, `300us`, `40ns` or, without a unit, counts.
/// A unit requires a `scale`. Returns counts since the start of the record.
llvm::Expected<uint64_t> parseTime(llvm::StringRef text, std::optional<TimeScale> scale,
                                   llvm::StringRef option);

/// Parses the length of a window of time, such as `10s`, to nanoseconds. It must not be 0, and
/// needs a unit.
llvm::Expected<uint64_t> parseWindow(llvm::StringRef text, llvm::StringRef option);

} // namespace warpo

#endif
