//===- ReadingTool.h - What all tools that read records share -------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The options --mapping, --rate, --slicer, …, and the way from them to events: open the record,
// load the mapping, slice, cut the window, say what was damaged.
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

/// What of a record with calls and samples is shown; any: samples where there are no calls.
enum class RecordPart : uint8_t { any, calls, samples };

/// The command line options of a tool that reads records. A tool has one, static, so that the
/// options are known before main.
struct ReadingOptions {
  /// `showsFunctions`: whether the tool shows functions: by how they were entered, if asked to, and
  /// with their places in the source. `takesSymbols`: whether other files may give it names and
  /// places: --symbols, --places-from.
  explicit ReadingOptions(bool showsFunctions, bool takesSymbols = true);

  /// What --list-slicers or --list-input-formats asks for, printed; nothing if neither was given.
  std::optional<llvm::Expected<ToolResult>> list() const;
  /// What --rate says; nothing if it was not given.
  llvm::Expected<std::optional<TimeScale>> givenScale() const;
  /// What --trim-path and --source-root say; nothing if neither was given.
  std::optional<SourcePaths> sourcePaths() const;
  /// Whether a part of the record was asked for.
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
  std::optional<TextsOption> symbols;
  std::optional<TextsOption> placesFrom;
  std::optional<FlagOption> showKinds;
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

/// The option of a tool with outputs that can link.
struct LinkOptions {
  /// Empty if it was not given.
  llvm::Expected<SourceUrl> url() const;

  TextOption sourceUrl{
      "source-url",
      outputOption("Link functions to their source, as in https://example.org/{file}#L{line}",
                   "url"),
      excludes({"diff"})};
};

/// The option of a tool with outputs that say where something was recorded.
struct LabelOptions {
  /// A label without a key, or a second one of its key, is an error.
  llvm::Expected<std::vector<OutputLabel>> labels() const;

  TextsOption label{
      "label",
      outputOption("A label for the input, as in host=web-3, in formats that support it",
                   "key=value"),
      excludes({"diff", "time-order"})};
};

/// The options of a tool that shows calls, in time or as sums.
struct CallOptions {
  /// A value that makes no sense.
  llvm::Error check() const;
  bool phaseRoots() const { return phases == "roots"; }
  /// What makes of a function's name the one that is shown; null: nothing. Events have functions by
  /// their numbers, so that two of one name stay apart.
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
  /// `roots`; empty if it was given without a value, for the report on phases.
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

/// A record that has been opened as the options say.
class RecordInput {
public:
  /// `path` may be `-`. A saved profile is refused, as it has no events.
  static llvm::Expected<std::unique_ptr<RecordInput>> open(llvm::StringRef path,
                                                           const ReadingOptions &options);
  /// Several records as one; those that cannot be aligned are reported on stderr.
  static llvm::Expected<std::unique_ptr<RecordInput>> openAll(llvm::ArrayRef<std::string> paths,
                                                              const ReadingOptions &options);
  /// The same for an input that has been opened. `mapping` takes the place of --mapping's, unless
  /// it is empty.
  static llvm::Expected<std::unique_ptr<RecordInput>>
  open(std::unique_ptr<InputStream> stream, llvm::StringRef mapping, const ReadingOptions &options);

  RecordReader &reader() { return *reader_; }
  FunctionTable &functions() { return *functions_; }
  DamageReport &damage() { return damage_; }
  /// From --rate, else from the record; nothing if neither says.
  std::optional<TimeScale> scale() const { return scale_; }
  /// The record's, with that scale.
  std::vector<Measure> measures() const;
  /// With --subtract-overhead, what does it, for each record; else empty.
  llvm::ArrayRef<const ProbeSubtraction *> subtractions() const { return subtractions_; }
  /// Of the first record, for messages: its path, or `<stdin>`.
  llvm::StringRef name() const { return paths_.front(); }
  /// The record's file name without its folders.
  std::string title() const;

  /// Slices the record into `sink`, within --from, --to and --slices and until `maxSlices` slices
  /// have ended (0: no limit). `observe`, if given, sees each batch as recorded, outside of the
  /// window too; without it, what lies outside may not be read at all, nor counted in the result.
  /// What was damaged before an error is reported on stderr.
  llvm::Expected<SlicingResult>
  slice(EventSink &sink, uint64_t maxSlices = 0,
        llvm::function_ref<llvm::Error(const RecordBatch &)> observe = nullptr);
  /// Shows `observe` the entries as recorded, which have no stacks; counts and checks as slice().
  llvm::Expected<SlicingResult>
  readEntries(llvm::function_ref<llvm::Error(const RecordBatch &)> observe);

  /// The record's times are not shown: nothing need be said of what recording took of them.
  void ignoreProbes() { reportsProbes_ = false; }
  /// What an entry took, once the record has been read: nothing where recording took too little of
  /// the time to mention.
  ProbeCost notableProbeCost() const;

  /// Says on stderr how much was subtracted, what was damaged, and what that means for the exit
  /// code: with --strict an error.
  llvm::Expected<ToolResult> finish();
  /// The same, and commits the output then: an input that --strict refuses leaves no file.
  llvm::Expected<ToolResult> finish(class OutputFile &file);
  /// Says on stderr what was damaged: for those who end with an error of another kind.
  void reportDamage() const;

private:
  llvm::Expected<SlicingResult> read(EventSink &sink, uint64_t maxSlices,
                                     llvm::function_ref<llvm::Error(const RecordBatch &)> observe,
                                     OverlapFinder *overlaps);
  llvm::Error loadMapping(llvm::StringRef given);
  /// Opens what the stream has in the format that is asked for, and subtracts what is to be.
  llvm::Expected<std::unique_ptr<RecordReader>> openReader(std::unique_ptr<InputStream> stream);
  /// Subtracts what recording took of the record that was opened last.
  llvm::Expected<std::unique_ptr<RecordReader>>
  subtractOverhead(std::unique_ptr<RecordReader> reader, bool canReadTwice);
  llvm::Error mergeReaders(llvm::ArrayRef<std::string> paths);
  /// Gives the functions the places of --places-from and the names of --symbols, and tells the
  /// table of all.
  llvm::Error nameFunctions();
  /// All modules of the records, those too that are declared late; of pipes the first.
  llvm::Expected<std::vector<RecordedModule>> findModules() const;
  /// A file of the input, read beside the input itself and as it is.
  llvm::Expected<std::unique_ptr<RecordReader>> openAgain(llvm::StringRef path) const;
  void reportSubtraction() const;
  void reportProbes() const;
  /// Names or a rate that the record does not have.
  void reportMissing() const;
  std::optional<ProbeShare::Share> notableProbes() const;
  void reportLateStart(uint64_t from, const SlicingResult &result) const;
  /// The window counts from an entry that lies `counts` behind the earliest.
  void reportEarlierEntry(uint64_t counts) const;
  void reportOverlap(const OverlapFinder &finder) const;
  /// Counts what its functions' ids and places show to be wrong.
  void addFunctionDamage();
  bool showsKinds() const { return options_.showKinds && *options_.showKinds; }
  explicit RecordInput(const ReadingOptions &options) : options_(options) {}

  const ReadingOptions &options_;
  /// As messages call them: `<stdin>` for standard input.
  std::vector<std::string> paths_;
  /// Empty: none.
  std::string mapping_;
  DamageReport damage_;
  std::unique_ptr<RecordReader> reader_;
  /// Parts of it.
  std::vector<const ProbeSubtraction *> subtractions_;
  /// With the entries; not those of a pipe.
  bool switchesMove_ = true;
  ProbeShare probeShare_;
  bool reportsProbes_ = true;
  std::unique_ptr<FunctionTable> functions_;
  std::optional<TimeScale> scale_;
};

/// What to call an input, by the name that its stream has, where it is shown: without folders.
std::string inputTitle(llvm::StringRef name);

/// A point in time as --from and --to take it, in counts since the start of the record: `1.5s`,
/// `20ms`, `300us`, `40ns`, or, without a unit, counts. A unit needs a `scale`.
llvm::Expected<uint64_t> parseTime(llvm::StringRef text, std::optional<TimeScale> scale,
                                   llvm::StringRef option);

/// The length of a window of time in nanoseconds, as in `10s`: not 0, with a unit.
llvm::Expected<uint64_t> parseWindow(llvm::StringRef text, llvm::StringRef option);

} // namespace warpo

#endif
