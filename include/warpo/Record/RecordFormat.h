//===- RecordFormat.h - The registry of record formats --------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// A record is a file of trace points written by an engine. To add a format, add one .cpp to
// lib/Record that derives from RecordFormat and registers itself; no tool knows a format by name.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_RECORD_RECORDFORMAT_H
#define WARPO_RECORD_RECORDFORMAT_H

#include "warpo/Record/Declarations.h"
#include "warpo/Record/RecordBatch.h"
#include "warpo/Support/InputStream.h"
#include "warpo/Support/Registry.h"
#include <memory>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>

namespace warpo {

class FunctionTable;

/// The cost of recording, in 1/1024 of a count of the record's clock; 0 if unknown.
struct ProbeCost {
  static constexpr uint64_t partsOfCount = 1024;
  /// Of one begin, and of one end.
  uint64_t begin = 0;
  uint64_t end = 0;
  /// Of an entry with a new time beyond that, as from a clock that another thread keeps.
  uint64_t step = 0;
};

/// The clock of a record, and the declarations that have been read so far, for look-ups by index.
/// To be notified of each declaration, use a DeclarationObserver.
struct RecordHeader {
  /// The measures of the record, with unique names. The first one is that of the entries' times:
  /// time, with the clock's rate if the record has it, or the only clock of a record without time.
  /// Each further one is a column of batches.
  std::vector<Measure> measures{{}};
  /// The count that is 0 in the record. Entries of a clock that wraps may be before it, so text
  /// output shows times as signed differences from here.
  uint64_t origin = 0;
  /// The number of recorded bits of the clock. Fewer than 64 wrap, and the reader cannot detect a
  /// wrap during which nothing was recorded.
  unsigned clockBits = 64;
  /// The wall clock at `origin`, in nanoseconds since 1970 (UTC); 0 if unknown.
  uint64_t wallClock = 0;
  std::vector<StreamInfo> streams;
  std::vector<RecordedModule> modules;
  /// In the record's order; most records have them at the end.
  std::vector<RecordedPhase> phases;
  /// Between stacks that start each other, in order; most records have none.
  std::vector<RecordedSwitch> switches;
  /// The stacks of samples; the first is the stack without frames.
  std::vector<RecordedStack> stacks{{}};

  /// Declares to `observer` all that has been declared so far.
  void declareTo(DeclarationObserver &observer) const;

  /// The stream that stands for the stack of `stream`'s calls.
  StreamIndex stackOf(StreamIndex stream) const { return streams[stream].stack.value_or(stream); }

  /// Whether the times of entries measure time.
  bool hasTime() const { return measures.front().isTime(); }
  /// The measures that have columns.
  llvm::ArrayRef<Measure> columns() const { return llvm::ArrayRef(measures).drop_front(); }
  /// Null or nothing if the record has no such measure or column.
  const Measure *findMeasure(llvm::StringRef name) const;
  std::optional<ColumnIndex> findColumn(llvm::StringRef name) const;

  /// The unit in which counts of the record's clock are shown: `ns` if its scale is known.
  llvm::StringRef timeUnit(bool hasScale) const {
    return hasTime() && hasScale ? llvm::StringRef("ns") : measures.front().unit;
  }

  /// The unit of a phase's ticks. For ticks of a measure, the name of its clock, which may include
  /// its costs.
  llvm::StringRef unitOf(const RecordedPhase &phase) const {
    const Measure *measure = findMeasure(phase.unit);
    return measure ? measure->clock() : llvm::StringRef(phase.unit);
  }

  /// For reports on a record whose clock wraps, a sentence on what cannot be detected; else
  /// empty.
  std::string silenceCaveat() const;
};

/// Reads a record. A format's reader derives from RecordSource, a reader that wraps another from
/// RecordFilter.
class RecordReader {
public:
  virtual ~RecordReader();

  /// The same object for the reader's lifetime.
  virtual const RecordHeader &header() const = 0;
  /// Notifies `observer` of all declarations so far, and of later ones. It must live as long as the
  /// reader is read. Observing a second time has no effect.
  virtual void observe(DeclarationObserver &observer) = 0;
  /// Makes all streams of a thread share the stack of its first one. Streams with the same thread
  /// number, or without any, belong to one thread. Call it before the first next().
  virtual void shareStacks() = 0;
  /// The cost of recording that the times include.
  virtual ProbeCost probe() const { return {}; }

  /// Declares the streams and phases of the whole record ahead, without reading its entries: most
  /// records have phases at the end. Call it before next(). False if the input cannot seek.
  virtual llvm::Expected<bool> declareAhead() { return true; }
  /// Adds the columns of the whole record to the header ahead, without reading its entries, for
  /// outputs that name all columns first. Call it before next(). False if the input cannot seek.
  virtual llvm::Expected<bool> addColumnsAhead() { return true; }
  /// Asks for the entries from `from` to `to` only, in counts since the record's earliest entry.
  /// Call it before next(). A reader that knows the earliest time without reading all entries
  /// returns it, and may leave out other entries. It then begins each stream with begins of the
  /// calls that are open, at a time before `from`, and keeps at least one entry after `to` if there
  /// is one.
  virtual llvm::Expected<std::optional<uint64_t>> keepOnly(uint64_t from, uint64_t to);

  /// Reads the next batch. False at the end of the record. `batch` is valid until the next call; it
  /// may be empty after much input without entries. Recoverable damage is reported by notes of the
  /// batch; after an Error, nothing more can be read.
  virtual llvm::Expected<bool> next(RecordBatch &batch) = 0;

  /// The place of entry `index` of the last batch in the input, for messages: `trace.bin:0x40`.
  virtual std::string placeOf(size_t index) const = 0;

  /// The bytes of the input that have been read, for progress.
  virtual uint64_t bytesRead() const = 0;
  /// The input's size, if known.
  virtual std::optional<uint64_t> inputSize() const = 0;
};

/// A reader that owns the header. All declarations go through the functions below, which notify the
/// observers.
class RecordSource : public RecordReader {
public:
  const RecordHeader &header() const final { return header_; }
  void observe(DeclarationObserver &observer) final;
  void shareStacks() final;
  /// Call before the first observe() and next(): replaces the times of the record's switches, in
  /// order, by those of these.
  void moveSwitches(std::vector<RecordedSwitch> moved);

protected:
  struct NamedFunction {
    int32_t id;
    llvm::StringRef name;
  };
  /// Declares a module, whose functions may follow; returns its index.
  size_t addModule(RecordedModule module);
  void addFunctions(size_t module, llvm::ArrayRef<NamedFunction> functions);
  /// Streams take memory in several places: random bytes must not make a million of them.
  static constexpr size_t maxStreams = 1 << 16;
  /// Ignores those that the module has already.
  void addLinkedFunctions(size_t module, llvm::ArrayRef<int32_t> functions);
  void setPlaces(size_t module, std::shared_ptr<const SourcePlaces> places);
  /// Nothing if there are already maxStreams.
  std::optional<StreamIndex> addStream(StreamInfo stream);
  void setSampling(StreamIndex stream, llvm::StringRef by, uint64_t interval);
  void setHeapInterval(StreamIndex stream, uint64_t interval);
  /// Adds a further module to the stream. False if the window is invalid.
  bool addWindow(StreamIndex stream, const ModuleWindow &window);
  /// Adds a stack, whose parent must exist already. Fails beyond maxStacks.
  static constexpr size_t maxStacks = 1 << 22;
  std::optional<uint32_t> addStack(RecordedStack stack);
  void addPhase(RecordedPhase phase);
  /// Switches are kept in memory while the record is read.
  static constexpr size_t maxSwitches = 1 << 22;
  /// False if a count of one of its streams goes back, or if there are already maxSwitches.
  bool addSwitch(const RecordedSwitch &change);

  /// The column of a measure; added to the header if it is new, and updated to this unit otherwise.
  /// Nothing if it is the measure of the times, or if there are already maxColumns.
  std::optional<ColumnIndex> addColumn(Measure measure);

  /// Readers set the fields that these functions do not declare.
  RecordHeader header_;

private:
  void joinStack(StreamIndex stream);
  void moveSwitch(size_t index);

  std::vector<DeclarationObserver *> observers_;
  /// By module and id.
  std::set<std::pair<size_t, int32_t>> linked_;
  /// By stream: the count of its last switch.
  std::vector<uint64_t> lastSwitch_;
  std::vector<RecordedSwitch> movedSwitches_;
  bool sharesStacks_ = false;
  std::unordered_map<uint64_t, StreamIndex> stackOfThread_;
};

/// A reader around another one, which changes its entries. It forwards every function that it does
/// not override, except keepOnly(), since times or their order may have changed.
class RecordFilter : public RecordReader {
public:
  explicit RecordFilter(std::unique_ptr<RecordReader> reader) : reader_(std::move(reader)) {}

  const RecordHeader &header() const final { return reader_->header(); }
  void observe(DeclarationObserver &observer) override { reader_->observe(observer); }
  void shareStacks() final { reader_->shareStacks(); }
  llvm::Expected<bool> declareAhead() final { return reader_->declareAhead(); }
  llvm::Expected<bool> addColumnsAhead() final { return reader_->addColumnsAhead(); }
  ProbeCost probe() const override { return reader_->probe(); }
  std::string placeOf(size_t index) const override { return reader_->placeOf(index); }
  uint64_t bytesRead() const override { return reader_->bytesRead(); }
  std::optional<uint64_t> inputSize() const final { return reader_->inputSize(); }

protected:
  RecordReader &reader() const { return *reader_; }

private:
  std::unique_ptr<RecordReader> reader_;
};

/// The data that a writer may use beside the entries.
struct RecordWriterContext {
  const RecordHeader &header;
  /// Names for formats that show them.
  FunctionTable &functions;
  /// The time scale of the clock, from the record or from the user; nothing if neither has
  /// it.
  std::optional<TimeScale> scale = std::nullopt;
  /// The cost of recording that the times include.
  ProbeCost probe = {};
  /// Only set for formats that can compress.
  bool compress = false;
};

class RecordWriter {
public:
  virtual ~RecordWriter();
  virtual llvm::Error write(const RecordBatch &batch) = 0;
  /// Writes what is pending. Called once, after the last batch.
  virtual llvm::Error finish() = 0;
  /// Input that the format cannot represent, as in `3 events that were lost`, for the tool to
  /// report after finish(). A format for calls alone derives from CallWriter.
  virtual std::vector<std::string> omissions() const = 0;
};

/// A writer for a format without phases or entries other than calls. It counts the ones that it
/// omits.
class CallWriter : public RecordWriter {
public:
  explicit CallWriter(const RecordWriterContext &context) : context_(context) {}

  llvm::Error write(const RecordBatch &batch) final;
  std::vector<std::string> omissions() const override;

protected:
  /// All other entries of `batch` have been counted already.
  virtual llvm::Error writeCalls(const RecordBatch &batch) = 0;

  RecordWriterContext context_;

private:
  SideCounts beside_;
};

class RecordFormat {
public:
  static constexpr llvm::StringLiteral kind = "record format";
  /// How many bytes at the start of an input sniff() gets.
  static constexpr size_t sniffSize = 4096;

  virtual ~RecordFormat();

  /// The extension of files, with the dot.
  virtual llvm::StringRef extension() const = 0;
  virtual bool isBinary() const = 0;

  /// Whether open() is implemented.
  virtual bool canRead() const { return false; }
  /// Whether an input that starts with `start` (all of it if shorter than sniffSize) has this
  /// format.
  virtual bool sniff(llvm::ArrayRef<uint8_t> start) const;
  /// Fails for a format that can only be written.
  virtual llvm::Expected<std::unique_ptr<RecordReader>>
  open(std::unique_ptr<InputStream> input) const;

  /// Whether create() supports compression.
  virtual bool canCompress() const { return false; }
  /// Writes to `os`, which must live as long as the writer. Fails for a format that can only be
  /// read.
  virtual llvm::Expected<std::unique_ptr<RecordWriter>>
  create(llvm::raw_ostream &os, const RecordWriterContext &context) const;
};

/// The input has no known format.
class UnknownRecordFormat : public llvm::ErrorInfo<UnknownRecordFormat> {
public:
  static char ID;
  /// `known`: the names of all formats. `isModule`: the input is a program instead of its record.
  UnknownRecordFormat(llvm::StringRef input, std::string known, bool isModule)
      : input_(input), known_(std::move(known)), isModule_(isModule) {}
  /// Adds other kinds of input that the tool reads.
  void addKnown(llvm::StringRef others) { known_ += ", " + others.str(); }
  void log(llvm::raw_ostream &os) const override;
  std::error_code convertToErrorCode() const override { return llvm::inconvertibleErrorCode(); }

private:
  std::string input_, known_;
  bool isModule_;
};

/// Names `others` in an UnknownRecordFormat, for tools that read more than records.
llvm::Error alsoKnown(llvm::Error error, llvm::StringRef others);

/// Whether some format recognises an input by its first RecordFormat::sniffSize bytes (or all, if
/// it is shorter).
llvm::Expected<bool> isRecord(llvm::ArrayRef<uint8_t> start);

/// Opens a record in the given format or, if `formatName` is empty, in the one that recognises it
/// by its first bytes. Fails with an UnknownRecordFormat if none does.
llvm::Expected<std::unique_ptr<RecordReader>> openRecord(std::unique_ptr<InputStream> input,
                                                         llvm::StringRef formatName = "");

} // namespace warpo

#endif
