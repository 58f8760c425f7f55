//===- RecordFuzzer.cpp - Any bytes as a record ---------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Every reader takes whatever comes. Events nest, their times and columns never go back, no time
// is lost twice, samples name stacks that there are; and what is written as `warpo` comes to the
// same sums when it is read again.
//
// The checksums of blocks, which no mutation would find, are set right first.
//
//===----------------------------------------------------------------------===//

#include "warpo/Record/OneStack.h"
#include "warpo/Recorder/record_blocks.h"
#include "warpo/Slice/SampleTree.h"
#include "warpo/Slice/Slicing.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdio>
#include <cstdlib>

using namespace llvm;
using namespace warpo;

static void require(bool holds, const char *what) {
  if (holds)
    return;
  std::fprintf(stderr, "it does not hold that %s\n", what);
  std::abort();
}

namespace {

/// Ends the program where events or samples are not what their consumers rely on, and sums them up.
class Judge : public EventSink {
public:
  Judge(FunctionTable &functions, const RecordHeader &header)
      : header_(header), functions_(functions), calls_(functions, limits),
        samples_(functions, header, limits) {}

  Error events(const EventBatch &batch) override;
  Error beside(const SideBatch &batch) override;
  Error finish() override { return Error::success(); }

  void noteColumns(const RecordBatch &batch);
  /// Whether a stream has events with columns and others without. Those get numbers where the
  /// record is written anew, which then count.
  bool isMixed() const { return isMixed_; }

  /// Of calls and of samples: the contexts and their weights together.
  std::vector<uint64_t> sums() const {
    std::vector<uint64_t> all;
    for (const CallTree *tree : {&calls_.tree(), &samples_.tree()}) {
      uint64_t time = 0, calls = 0, samples = 0;
      Counts counts = noCounts;
      for (NodeIndex node = 0; node < tree->size(); ++node) {
        time = SaturatingAdd(time, (*tree)[node].selfTime);
        for (ColumnIndex column = 0; column < maxColumns; ++column)
          counts[column] = SaturatingAdd(counts[column], tree->selfCount(node, column));
        calls += (*tree)[node].calls;
        samples += tree->selfSamples(node);
      }
      // How many stand in for others in a full tree depends on which came first.
      uint64_t contexts = std::min<uint64_t>(tree->size(), limits.maxContexts);
      append_range(all, ArrayRef({contexts, time, calls, samples}));
      // The format has a place for the fuel of samples, and says so of other measures.
      if (tree == &samples_.tree()) {
        std::optional<ColumnIndex> fuel = header_.findColumn("fuel");
        all.push_back(fuel ? counts[*fuel] : 0);
      } else {
        append_range(all, counts);
      }
    }
    return all;
  }

private:
  // So low that the trees' ways out are taken too.
  static constexpr CallTreeOptions limits = {.maxContexts = 50, .maxDepth = 20};

  struct Stream {
    std::vector<FunctionIndex> open;
    uint64_t time = 0;
    Counts counts = noCounts;
    uint64_t sampleTime = 0;
    uint64_t heapTime = 0;
    bool hasSamples = false;
    /// Those that its last events had, a bit each.
    std::optional<uint64_t> columns;
  };
  Stream &streamOf(StreamIndex stream) {
    streams_.resize(std::max<size_t>(streams_.size(), stream + 1));
    return streams_[stream];
  }
  static void checkEvent(Stream &stream, const Event &event);
  static void checkLost(Stream &stream, const LostRange &range);

  const RecordHeader &header_;
  FunctionTable &functions_;
  bool isMixed_ = false;
  CallTreeBuilder calls_;
  SampleTree samples_;
  std::vector<Stream> streams_;
  uint64_t sampleCount_ = 0;
};

} // namespace

void Judge::checkEvent(Stream &stream, const Event &event) {
  require(event.time >= stream.time, "times do not go back");
  stream.time = event.time;
  if (event.kind == EventKind::begin)
    return stream.open.push_back(event.function);
  require(!stream.open.empty() && stream.open.back() == event.function, "events nest");
  stream.open.pop_back();
}

void Judge::checkLost(Stream &stream, const LostRange &range) {
  require(range.from >= stream.time && range.from <= range.to, "no time is lost twice");
  for (ColumnIndex column = 0; column < maxColumns; ++column) {
    uint64_t from = range.countsFrom[column], to = range.countsTo[column];
    require(from <= to, "what is lost of a column does not go back");
    require(to == 0 || from >= stream.counts[column], "nothing of a column is lost twice");
  }
  stream.time = range.to;
  stream.counts = maxOf(stream.counts, range.countsTo);
}

void Judge::noteColumns(const RecordBatch &batch) {
  if (batch.size() == 0)
    return;
  uint64_t columns = 0;
  for (const CountColumns::Column &column : batch.counts)
    columns |= uint64_t(1) << column.index;
  Stream &stream = streamOf(batch.stream);
  isMixed_ |= stream.columns.value_or(columns) != columns;
  stream.columns = columns;
}

Error Judge::events(const EventBatch &batch) {
  Stream &stream = streamOf(batch.stream);
  for (const CountColumns::Column &column : batch.counts)
    require(batch.counts[column.index].size() == batch.events.size(),
            "each event has a number in each column");
  ArrayRef<LostRange> lost = batch.lost;
  for (size_t i = 0; i <= batch.events.size(); ++i) {
    for (const LostRange &range : takeUpTo(lost, i))
      checkLost(stream, range);
    if (i == batch.events.size())
      break;
    checkEvent(stream, batch.events[i]);
    for (const CountColumns::Column &column : batch.counts) {
      require(column.values[i] >= stream.counts[column.index], "columns do not go back");
      stream.counts[column.index] = column.values[i];
    }
  }
  require(lost.empty(), "losses lie within their batch");
  return calls_.events(batch);
}

Error Judge::beside(const SideBatch &batch) {
  const auto &[samples, heap] = batch.entries;
  Stream &stream = streamOf(batch.stream);
  size_t stacks = std::max<size_t>(functions_.stacks().size(), 1);
  for (const StackSample &sample : samples) {
    require(sample.time >= stream.sampleTime, "times of samples do not go back");
    // What the first one speaks of may have begun before the clock's 0.
    require(!stream.hasSamples || sample.timeSince <= sample.time - stream.sampleTime,
            "no time is two samples'");
    require(sample.stack < stacks, "a sample's stack is known");
    stream.sampleTime = sample.time;
    stream.hasSamples = true;
    sampleCount_ += sample.stack != 0;
  }
  for (const HeapEvent &event : heap) {
    require(event.time >= stream.heapTime, "times of heap events do not go back");
    require(event.stack < stacks, "a heap event's stack is known");
    require(event.operation == HeapOperation::reallocate || event.oldAddress == 0,
            "only a reallocation has an old address");
    require(event.operation < HeapOperation::grow || event.address == 0, "growth has no address");
    stream.heapTime = event.time;
  }
  samples_.add(samples);
  uint64_t folded = 0;
  for (NodeIndex node = 0; node < samples_.tree().size(); ++node)
    folded += samples_.tree().selfSamples(node);
  require(folded == sampleCount_, "each sample counts once");
  return Error::success();
}

/// Judges a record; what is in it goes to `observe`. Nothing if it cannot be read on, or if its
/// sums change where it is written anew.
///
/// Each module has functions of its own: else those of nameless modules would be one until any
/// module says something of its functions, also one without events, which is not written.
static std::optional<std::vector<uint64_t>>
judge(RecordReader &reader, FunctionTable &functions,
      function_ref<Error(const RecordBatch &)> observe) {
  DamageReport damage;
  auto slicer = cantFail(warpo::Registry<Slicer>::create("calls"));
  functions.distinguishModules();
  Judge judge(functions, reader.header());
  auto watch = [&](const RecordBatch &batch) {
    judge.noteColumns(batch);
    return observe(batch);
  };
  auto result = sliceRecord(reader, functions, *slicer, judge, damage, watch);
  if (!result) {
    consumeError(result.takeError());
    return std::nullopt;
  }
  return judge.isMixed() ? std::nullopt : std::optional(judge.sums());
}

static std::vector<uint8_t> withChecksums(ArrayRef<uint8_t> input) {
  std::vector<uint8_t> bytes = input.vec();
  if (!toStringRef(input).starts_with(StringRef(WARPO_SIGNATURE, warpo_signature_size)))
    return bytes;
  for (size_t at = warpo_signature_size; at + warpo_block_header_size <= bytes.size();) {
    uint8_t *header = bytes.data() + at;
    size_t size = support::endian::read32le(header + 8);
    if (size > bytes.size() - at - warpo_block_header_size)
      break;
    warpo_frame_block(header, warpo_block_kind(header[4]), header[5], size);
    at += warpo_block_header_size + size;
  }
  return bytes;
}

static void judgeWritten(ArrayRef<uint8_t> input, const std::vector<uint64_t> &expected) {
  auto reader = cantFail(openRecord(InputStream::fromBytes(input, "record")));
  FunctionTable functions;
  std::string bytes;
  raw_string_ostream os(bytes);
  auto format = cantFail(warpo::Registry<RecordFormat>::create("warpo"));
  auto writer = cantFail(format->create(os, {reader->header(), functions}));
  if (!judge(*reader, functions, [&](const RecordBatch &batch) { return writer->write(batch); }))
    return;
  cantFail(writer->finish());
  auto again = cantFail(openRecord(InputStream::fromBytes(arrayRefFromStringRef(bytes), "again")));
  FunctionTable otherFunctions;
  auto sums = judge(*again, otherFunctions, [](const RecordBatch &) { return Error::success(); });
  if (sums && *sums != expected)
    for (auto [was, is] : zip(expected, *sums))
      std::fprintf(stderr, "%llu, written and read %llu\n", static_cast<unsigned long long>(was),
                   static_cast<unsigned long long>(is));
  require(sums == expected, "a record comes to the same when it has been written");
}

// With all streams of a thread on one stack, too.
static void judgeOneStack(ArrayRef<uint8_t> input) {
  OneStack reader(cantFail(openRecord(InputStream::fromBytes(input, "record"))), "record");
  FunctionTable functions;
  judge(reader, functions, [](const RecordBatch &) { return Error::success(); });
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  std::vector<uint8_t> input = withChecksums(ArrayRef(bytes, size));
  auto reader = openRecord(InputStream::fromBytes(input, "record"));
  if (!reader) {
    consumeError(reader.takeError());
    return 0;
  }
  FunctionTable functions;
  auto sums = judge(**reader, functions, [](const RecordBatch &) { return Error::success(); });
  if (sums)
    judgeWritten(input, *sums);
  judgeOneStack(input);
  return 0;
}
