//===- ReadingTool.h - What all tools that read records share -------------===//
//
// The options --mapping, --rate, --slicer, …, and the way from them to events: open the record,
// load the mapping, slice, cut the window, say what was damaged.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_TOOLING_READINGTOOL_H
#define WARPO_TOOLING_READINGTOOL_H

#include "warpo/Record/FunctionTable.h"
#include "warpo/Record/MergedRecord.h"
#include "warpo/Record/ProbeSubtraction.h"
#include "warpo/Record/RecordFormat.h"
#include "warpo/Slice/EventWindow.h"
#include "warpo/Slice/Slicing.h"
#include "warpo/Tooling/ToolMain.h"
#include <memory>
#include <optional>

namespace warpo {

/// The command line options of a tool that reads records. A tool has one, static, so that the
/// options are known before main.
struct ReadingOptions {
  /// `showsKinds`: whether the tool shows functions by how they were entered, if asked to.
  explicit ReadingOptions(bool showsKinds);

  /// What --list-slicers or --list-input-formats asks for, printed; nothing if neither was given.
  std::optional<llvm::Expected<ToolResult>> list() const;
  /// What --rate says; nothing if it was not given.
  llvm::Expected<std::optional<TimeScale>> givenScale() const;

  llvm::cl::opt<std::string> mapping;
  llvm::cl::opt<std::string> rate;
  llvm::cl::opt<std::string> inputFormat;
  llvm::cl::opt<bool> listInputFormats;
  llvm::cl::opt<std::string> slicer;
  llvm::cl::opt<bool> listSlicers;
  llvm::cl::opt<std::string> from;
  llvm::cl::opt<std::string> to;
  llvm::cl::opt<std::string> slices;
  llvm::cl::opt<bool> subtractOverhead;
  llvm::cl::opt<bool> strict;
  llvm::cl::opt<bool> noProgress;
  std::optional<llvm::cl::opt<bool>> showKinds;
  llvm::cl::alias mappingText;
  llvm::cl::alias mappingJson;
  llvm::cl::alias rateLong;
};

/// A record that has been opened as the options say.
class RecordInput {
public:
  /// `path` may be `-`. A saved profile is refused, as it has no events.
  static llvm::Expected<std::unique_ptr<RecordInput>> open(llvm::StringRef path,
                                                           const ReadingOptions &options);
  /// Several records, of which one is made; what cannot be aligned is told on stderr.
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
  /// With --subtract-overhead, what does it, for each record; else empty.
  llvm::ArrayRef<const ProbeSubtraction *> subtractions() const { return subtractions_; }
  /// The record's file name without its folders.
  std::string title() const;

  /// Slices the record into `sink`, within --from, --to and --slices and until `maxSlices` slices
  /// have ended (0: no limit). `observe`, if given, sees each batch as recorded, outside of the
  /// window too; without it, what lies outside may not be read at all, nor counted in the result.
  /// What was damaged before an error is told on stderr.
  llvm::Expected<SlicingResult>
  slice(EventSink &sink, uint64_t maxSlices = 0,
        llvm::function_ref<llvm::Error(const RecordBatch &)> observe = nullptr);

  /// Says on stderr how much was subtracted, what was damaged, and what that means for the exit
  /// code: with --strict an error.
  llvm::Expected<ToolResult> finish();
  /// Says on stderr what was damaged: for those who end with an error of another kind.
  void tellDamage() const;

private:
  llvm::Error loadMapping(llvm::StringRef given);
  /// Opens what the stream has in the format that is asked for, and subtracts what is to be.
  llvm::Expected<std::unique_ptr<RecordReader>> openReader(std::unique_ptr<InputStream> stream);
  llvm::Error mergeReaders(llvm::ArrayRef<std::string> paths);
  void tellSubtraction() const;
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
  std::unique_ptr<FunctionTable> functions_;
  std::optional<TimeScale> scale_;
};

/// What to call an input, by the name that its stream has, where it is shown: without folders.
std::string inputTitle(llvm::StringRef name);

/// A point in time as --from and --to take it, in counts since the start of the record: `1.5s`,
/// `20ms`, `300us`, `40ns`, or, without a unit, counts. A unit needs a `scale`.
llvm::Expected<uint64_t> parseTime(llvm::StringRef text, std::optional<TimeScale> scale,
                                   llvm::StringRef option);

} // namespace warpo

#endif
