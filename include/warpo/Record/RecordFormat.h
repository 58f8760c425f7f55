//===- RecordFormat.h - The registry of record formats --------------------===//
//
// A record is the file of trace points that an engine wrote. To add a format, add one .cpp to
// lib/Record that derives from RecordFormat and registers itself; no tool knows any format by name.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_RECORD_RECORDFORMAT_H
#define WARPO_RECORD_RECORDFORMAT_H

#include "warpo/Record/RecordBatch.h"
#include "warpo/Record/TimeScale.h"
#include "warpo/Support/InputStream.h"
#include "warpo/Support/Registry.h"
#include <memory>
#include <optional>

namespace warpo {

class FunctionTable;

/// What a record says of a module: its identity and its mapping.
struct RecordedModule {
  struct Function {
    int32_t id;
    /// In `names`.
    uint32_t offset;
    uint32_t size;
  };

  uint64_t id = 0;
  std::string name;
  /// BLAKE3 of the original module; empty where unknown, as is its build id.
  std::string hash;
  std::string buildId;
  std::vector<Function> functions;
  /// Of all functions, one behind the other.
  std::string names;

  llvm::StringRef nameOf(const Function &function) const {
    return llvm::StringRef(names).substr(function.offset, function.size);
  }
};

/// A stack of a sampled program: its innermost frame, and the stack around that.
struct RecordedStack {
  /// A smaller index of RecordHeader::stacks.
  uint32_t parent = 0;
  /// The frame's function: a module's identifier and an id. Id 0: none, but a text, as of a guest
  /// program's frame.
  int32_t id = 0;
  uint64_t moduleId = 0;
  std::string text = {};
};

/// What recording one begin and one end takes of the record's clock, in 1/1024 of a count; 0 where
/// unknown.
struct ProbeCost {
  uint64_t begin = 0;
  uint64_t end = 0;
};

/// Something that the host did for the program.
struct RecordedPhase {
  std::string name;
  /// In counts of the record's clock, modulo 2^64: some lie before its origin, and those of a
  /// merged record before its 0. Both 0 where fuel is the only clock.
  uint64_t begin = 0, end = 0;
  /// What `ticks` counts, in the plural; empty: nobody knows how much there was.
  std::string unit;
  uint64_t ticks = 0;
  /// Where several records became one, the name of the one that it is of; else empty.
  std::string run = {};

  uint64_t duration() const { return end - begin; }
};

/// What a record says of itself. A reader may add streams and modules while it reads.
struct RecordHeader {
  /// The rate of the clock, where the record states it.
  std::optional<TimeScale> scale;
  /// The count that the record itself calls 0. A clock that wraps may show entries from before its
  /// first wrap: texts write times as signed differences from here.
  uint64_t origin = 0;
  /// How many bits of the clock were recorded. Fewer than 64 wrap, and the reader cannot see a wrap
  /// during which nothing was recorded.
  unsigned clockBits = 64;
  /// When `origin` was, in nanoseconds since 1970 (UTC); 0 where the record does not say.
  uint64_t wallClock = 0;
  ProbeCost probe;
  /// The name of the clock that counts fuel: `fuel`, or `fuel:<costs>` where not every instruction
  /// costs 1; empty for a record without fuel.
  std::string fuelClock;
  /// Fuel is the record's only clock: the times of its entries are fuel, `scale` is nothing, and
  /// batches have no further column.
  bool timeIsFuel = false;
  std::vector<StreamInfo> streams;
  std::vector<RecordedModule> modules;
  /// In their order; most records have them at their end.
  std::vector<RecordedPhase> phases;
  /// What samples refer to; the first is the stack without frames.
  std::vector<RecordedStack> stacks{{}};
  /// Over all modules: grows whenever one gets further functions.
  size_t namedFunctions = 0;

  /// What a count of the record's clock is: `ns` with a scale, else `ticks`, or fuelClock.
  llvm::StringRef timeUnit(bool hasScale) const {
    return timeIsFuel ? llvm::StringRef(fuelClock) : hasScale ? "ns" : "ticks";
  }

  /// The unit of a phase's ticks; of fuel the name of the clock, which says by what costs it was
  /// counted.
  llvm::StringRef unitOf(const RecordedPhase &phase) const {
    return phase.unit == "fuel" && !fuelClock.empty() ? fuelClock : phase.unit;
  }

  /// For reports on a record of a short clock, a sentence that says what cannot be seen; else
  /// empty.
  std::string silenceCaveat() const;
};

class RecordReader {
public:
  virtual ~RecordReader();

  const RecordHeader &header() const { return header_; }

  /// Says, before the first next(), that only the entries from `from` to `to` matter, in counts
  /// since the record's first entry. A reader that can do so without reading all may leave out
  /// others, and then returns the time of that first entry. On each stream it gives the calls that
  /// are open where it begins as begins, at a time before `from`, and at least one entry after `to`
  /// if there is one.
  virtual llvm::Expected<std::optional<uint64_t>> keepOnly(uint64_t from, uint64_t to);

  /// Reads on. False at the end of the record; `batch` is valid until the next call. Damage after
  /// which something can still be read comes as notes of a batch; an Error means that nothing more
  /// can be read.
  virtual llvm::Expected<bool> next(RecordBatch &batch) = 0;

  /// Where entry `index` of the last batch stands in the input, for messages: `trace.bin:0x40`.
  virtual std::string placeOf(size_t index) const = 0;

  /// How many bytes of the input have been read, for progress.
  virtual uint64_t bytesRead() const = 0;
  /// The input's size where it is known.
  virtual std::optional<uint64_t> inputSize() const = 0;

protected:
  /// Each stream takes memory wherever it is looked at: random bytes must not look like a million.
  static constexpr size_t maxStreams = 1 << 16;
  /// Adds a stream to the header; nothing if there are maxStreams already. The way for every
  /// format.
  std::optional<StreamIndex> addStream(StreamInfo stream);
  /// The same for a stack, whose parent must be one already.
  static constexpr size_t maxStacks = 1 << 22;
  std::optional<uint32_t> addStack(RecordedStack stack);

  RecordHeader header_;
};

/// What a writer may use beside the entries.
struct RecordWriterContext {
  const RecordHeader &header;
  /// Names for formats that show them.
  FunctionTable &functions;
  /// What a count is in time: as the record states it or as the user knows better; nothing if
  /// neither says.
  std::optional<TimeScale> scale = std::nullopt;
  /// Only for a format that can.
  bool compress = false;
};

class RecordWriter {
public:
  virtual ~RecordWriter();
  virtual llvm::Error write(const RecordBatch &batch) = 0;
  /// Writes what is pending. Called once, after the last batch.
  virtual llvm::Error finish() = 0;
  /// Whether the samples of a batch are written too.
  virtual bool takesSamples() const { return false; }
  /// Whether finish() writes the header's phases.
  virtual bool takesPhases() const { return false; }
  /// What was given and the format has no place for, as in `3 events that were lost`; for the tool
  /// to tell, after finish().
  virtual std::vector<std::string> omissions() const { return {}; }
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

/// Opens a record in the format called `formatName`, or, if that is empty, in the one that knows
/// the input by its first bytes.
llvm::Expected<std::unique_ptr<RecordReader>> openRecord(std::unique_ptr<InputStream> input,
                                                         llvm::StringRef formatName = "");

} // namespace warpo

#endif
