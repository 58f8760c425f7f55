//===- RecordFormat.h - The registry of record formats --------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// A record is the file of trace points that an engine wrote. To add a format, add one .cpp to
// lib/Record that derives from RecordFormat and registers itself; no tool knows any format by name.
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
#include <unordered_map>

namespace warpo {

class FunctionTable;

/// What recording one begin and one end takes of the record's clock, in 1/1024 of a count; 0 where
/// unknown.
struct ProbeCost {
  static constexpr uint64_t partsOfCount = 1024;
  uint64_t begin = 0;
  uint64_t end = 0;
};

/// What a record says of itself: its clock, and what it has declared up to where it has been read,
/// for look-ups by index. What comes in one by one is for a DeclarationObserver.
struct RecordHeader {
  /// What the record counts, with different names. The first is what the times of its entries are:
  /// time, with the clock's rate where the record states it, or, in a record without time, its only
  /// clock. Each further one is a column of batches.
  std::vector<Measure> measures{{}};
  /// The count that the record itself calls 0. A clock that wraps may show entries from before its
  /// first wrap: texts write times as signed differences from here.
  uint64_t origin = 0;
  /// How many bits of the clock were recorded. Fewer than 64 wrap, and the reader cannot see a wrap
  /// during which nothing was recorded.
  unsigned clockBits = 64;
  /// When `origin` was, in nanoseconds since 1970 (UTC); 0 where the record does not say.
  uint64_t wallClock = 0;
  std::vector<StreamInfo> streams;
  std::vector<RecordedModule> modules;
  /// In their order; most records have them at their end.
  std::vector<RecordedPhase> phases;
  /// Between stacks that start each other, in order; most records have none.
  std::vector<RecordedSwitch> switches;
  /// What samples refer to; the first is the stack without frames.
  std::vector<RecordedStack> stacks{{}};

  /// Declares to `observer` all that has been declared so far.
  void declareTo(DeclarationObserver &observer) const;

  /// The stream that stands for the stack which the calls of `stream` are on.
  StreamIndex stackOf(StreamIndex stream) const { return streams[stream].stack.value_or(stream); }

  /// Otherwise what stands for the times of entries is no time.
  bool hasTime() const { return measures.front().isTime(); }
  /// The measures that have columns.
  llvm::ArrayRef<Measure> columns() const { return llvm::ArrayRef(measures).drop_front(); }
  /// Null, or nothing, if the record has no measure, or no column, of this name.
  const Measure *findMeasure(llvm::StringRef name) const;
  std::optional<ColumnIndex> findColumn(llvm::StringRef name) const;

  /// What a count of the record's clock is shown in: `ns` if it has a scale, however that is known.
  llvm::StringRef timeUnit(bool hasScale) const {
    return hasTime() && hasScale ? llvm::StringRef("ns") : measures.front().unit;
  }

  /// The unit of a phase's ticks; of those of a measure the name of its clock, which may say how it
  /// counts.
  llvm::StringRef unitOf(const RecordedPhase &phase) const {
    const Measure *measure = findMeasure(phase.unit);
    return measure ? measure->clock() : llvm::StringRef(phase.unit);
  }

  /// For reports on a record of a short clock, a sentence that says what cannot be seen; else
  /// empty.
  std::string silenceCaveat() const;
};

/// Gives the entries of a record. A format's reader derives from RecordSource, a reader around
/// another one from RecordFilter.
class RecordReader {
public:
  virtual ~RecordReader();

  /// The same object as long as the reader lives.
  virtual const RecordHeader &header() const = 0;
  /// From now on `observer` hears of all declarations, after those that were made before. It must
  /// live as long as the reader is read. A second time changes nothing.
  virtual void observe(DeclarationObserver &observer) = 0;
  /// Makes all streams of a thread share the stack of its first one. Streams with the same thread
  /// number, or without any, belong to one thread. Call it before the first next().
  virtual void shareStacks() = 0;
  /// The part of the times that recording took.
  virtual ProbeCost probe() const { return {}; }

  /// Declares, before the first next(), the streams and the phases of the whole record: most have
  /// the phases at their end. The entries are not read for it. False if the input cannot be sought.
  virtual llvm::Expected<bool> declareAhead() { return true; }
  /// Says, before the first next(), that only the entries from `from` to `to` matter, in counts
  /// since the record's earliest entry. A reader that knows without reading all when that is
  /// returns its time, and may leave out other entries. On each stream it gives the calls that
  /// are open where it begins as begins, at a time before `from`, and at least one entry after `to`
  /// if there is one.
  virtual llvm::Expected<std::optional<uint64_t>> keepOnly(uint64_t from, uint64_t to);

  /// Reads on. False at the end of the record; `batch` is valid until the next call, and may be
  /// empty where much was passed without an entry. Damage after which something can still be read
  /// comes as notes of a batch; an Error means that nothing more can be read.
  virtual llvm::Expected<bool> next(RecordBatch &batch) = 0;

  /// Where entry `index` of the last batch stands in the input, for messages: `trace.bin:0x40`.
  virtual std::string placeOf(size_t index) const = 0;

  /// How many bytes of the input have been read, for progress.
  virtual uint64_t bytesRead() const = 0;
  /// The input's size where it is known.
  virtual std::optional<uint64_t> inputSize() const = 0;
};

/// A reader that declares: the one that owns the header. All that is declared goes through the
/// functions below, so that every observer hears of it.
class RecordSource : public RecordReader {
public:
  const RecordHeader &header() const final { return header_; }
  void observe(DeclarationObserver &observer) final;
  void shareStacks() final;
  /// Before the first observe() and next(): the record's switches, in order, have the times of
  /// these instead of their own.
  void moveSwitches(std::vector<RecordedSwitch> moved);

protected:
  struct NamedFunction {
    int32_t id;
    llvm::StringRef name;
  };
  /// Declares a module, whose functions may follow; returns its index.
  size_t addModule(RecordedModule module);
  void addFunctions(size_t module, llvm::ArrayRef<NamedFunction> functions);
  /// Each stream takes memory wherever it is looked at: random bytes must not look like a million.
  static constexpr size_t maxStreams = 1 << 16;
  void setPlaces(size_t module, std::shared_ptr<const SourcePlaces> places);
  /// Nothing if there are maxStreams already.
  std::optional<StreamIndex> addStream(StreamInfo stream);
  void setSampling(StreamIndex stream, llvm::StringRef by, uint64_t interval);
  void setHeapInterval(StreamIndex stream, uint64_t interval);
  /// A further module of the stream. False if there can be no such window.
  bool addWindow(StreamIndex stream, const ModuleWindow &window);
  /// The same for a stack, whose parent must be one already.
  static constexpr size_t maxStacks = 1 << 22;
  std::optional<uint32_t> addStack(RecordedStack stack);
  void addPhase(RecordedPhase phase);
  /// Each takes memory as long as the record is read.
  static constexpr size_t maxSwitches = 1 << 22;
  /// False if a count of one of its streams goes back, or if there are maxSwitches already.
  bool addSwitch(const RecordedSwitch &change);

  /// The column of a measure: one is added to the header, unless it is there, and then has this
  /// unit from now on. Nothing if times are of this measure, or if there are maxColumns already.
  std::optional<ColumnIndex> addColumn(Measure measure);

  /// A reader sets the fields that these functions do not declare.
  RecordHeader header_;

private:
  void joinStack(StreamIndex stream);
  void moveSwitch(size_t index);

  std::vector<DeclarationObserver *> observers_;
  /// Of each stream, the count of its last switch.
  std::vector<uint64_t> lastSwitch_;
  std::vector<RecordedSwitch> movedSwitches_;
  bool sharesStacks_ = false;
  std::unordered_map<uint64_t, StreamIndex> stackOfThread_;
};

/// A reader around another one, which makes something else of its entries. Whatever it does not say
/// is the other's, except keepOnly(): a window of other times or another order is another one.
class RecordFilter : public RecordReader {
public:
  explicit RecordFilter(std::unique_ptr<RecordReader> reader) : reader_(std::move(reader)) {}

  const RecordHeader &header() const final { return reader_->header(); }
  void observe(DeclarationObserver &observer) override { reader_->observe(observer); }
  void shareStacks() final { reader_->shareStacks(); }
  llvm::Expected<bool> declareAhead() final { return reader_->declareAhead(); }
  ProbeCost probe() const override { return reader_->probe(); }
  std::string placeOf(size_t index) const override { return reader_->placeOf(index); }
  uint64_t bytesRead() const override { return reader_->bytesRead(); }
  std::optional<uint64_t> inputSize() const final { return reader_->inputSize(); }

protected:
  RecordReader &reader() const { return *reader_; }

private:
  std::unique_ptr<RecordReader> reader_;
};

/// What a writer may use beside the entries.
struct RecordWriterContext {
  const RecordHeader &header;
  /// Names for formats that show them.
  FunctionTable &functions;
  /// What a count is in time: as the record states it or as the user knows better; nothing if
  /// neither says.
  std::optional<TimeScale> scale = std::nullopt;
  /// What recording took of the times.
  ProbeCost probe = {};
  /// Only for a format that can.
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

/// A writer for a format that has no place for what stands beside the calls, nor for phases. It
/// counts them.
class CallWriter : public RecordWriter {
public:
  explicit CallWriter(const RecordWriterContext &context) : context_(context) {}

  llvm::Error write(const RecordBatch &batch) final;
  std::vector<std::string> omissions() const override;

protected:
  /// What stands beside the calls of `batch` has been counted.
  virtual llvm::Error writeCalls(const RecordBatch &batch) = 0;

  RecordWriterContext context_;

private:
  SideCounts beside_;
};

class RecordFormat {
public:
  static constexpr llvm::StringLiteral kind = "record format";
  /// How many bytes at the start of an input sniff() may look at.
  static constexpr size_t sniffSize = 4096;

  virtual ~RecordFormat();

  /// Of files, with the dot.
  virtual llvm::StringRef extension() const = 0;
  virtual bool isBinary() const = 0;

  /// Whether open() works.
  virtual bool canRead() const { return false; }
  /// Whether an input that starts with `start` (all of it if shorter than sniffSize) is in this
  /// format.
  virtual bool sniff(llvm::ArrayRef<uint8_t> start) const;
  /// Fails for a format that can only be written.
  virtual llvm::Expected<std::unique_ptr<RecordReader>>
  open(std::unique_ptr<InputStream> input) const;

  /// Whether create() knows how to compress.
  virtual bool canCompress() const { return false; }
  /// Writes to `os`, which must live as long as the writer. Fails for a format that can only be
  /// read.
  virtual llvm::Expected<std::unique_ptr<RecordWriter>>
  create(llvm::raw_ostream &os, const RecordWriterContext &context) const;
};

/// An input that no format knows.
class UnknownRecordFormat : public llvm::ErrorInfo<UnknownRecordFormat> {
public:
  static char ID;
  /// `known`: the names of all formats. `isModule`: the input is a program and not its record.
  UnknownRecordFormat(llvm::StringRef input, std::string known, bool isModule)
      : input_(input), known_(std::move(known)), isModule_(isModule) {}
  /// What else the tool would have read.
  void addKnown(llvm::StringRef others) { known_ += ", " + others.str(); }
  void log(llvm::raw_ostream &os) const override;
  std::error_code convertToErrorCode() const override { return llvm::inconvertibleErrorCode(); }

private:
  std::string input_, known_;
  bool isModule_;
};

/// For tools that read more than records: names `others` too where no format knows an input.
llvm::Error alsoKnown(llvm::Error error, llvm::StringRef others);

/// Whether some format knows an input by its first bytes, RecordFormat::sniffSize of them or, of a
/// shorter one, all.
llvm::Expected<bool> isRecord(llvm::ArrayRef<uint8_t> start);

/// Opens a record in the format called `formatName`, or, if that is empty, in the one that knows
/// the input by its first bytes; else the error is an UnknownRecordFormat.
llvm::Expected<std::unique_ptr<RecordReader>> openRecord(std::unique_ptr<InputStream> input,
                                                         llvm::StringRef formatName = "");

} // namespace warpo

#endif
