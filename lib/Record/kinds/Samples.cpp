//===- Samples.cpp - Samples in blocks and in YAML ------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "../warpo-format/SideBlocks.h"
#include "../yaml-format/YamlSides.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace warpo;

/// The measure that samples count beside time.
static constexpr StringLiteral sampleMeasure = WARPO_FUEL_CLOCK;

/// The measure that decided when samples were due, by its number in the format.
static constexpr StringLiteral samplingMeasures[] = {"", sampleMeasure, Measure::timeClock};

namespace {

class SampleDecoder : public SideDecoder {
public:
  explicit SampleDecoder(DeclarationReader &record) : SideDecoder(record, warpo_block_samples) {}

  bool begin(ByteCursor &cursor) override;

private:
  bool decodeEntries(RecordColumns &columns, const std::string &place) override;
  bool decodeSamples(RecordColumns &columns);
  std::optional<ColumnIndex> findColumn();

  /// Whether a sample had counts without a column.
  bool isLeftOut_ = false;
};

bool SampleDecoder::begin(ByteCursor &cursor) {
  uint64_t number = cursor.uleb64();
  uint64_t due = cursor.uleb64();
  uint64_t interval = cursor.uleb64();
  uint64_t base = cursor.u64();
  cursor.u64(); // the fuel at that time
  record_.sampleCounts().begin(number, base);
  std::optional<StreamIndex> stream = record_.findStream(number);
  if (!cursor.ok() || !stream)
    return false;
  record_.setSampling(*stream,
                      due < std::size(samplingMeasures)
                          ? samplingMeasures[due].str()
                          : record_.header().streams[*stream].sampledBy,
                      interval);
  std::optional<uint64_t> last = lastTimeOf(*stream);
  // A base with the highest bit set is before the clock's 0.
  bool isBack = last && int64_t(base) < int64_t(*last);
  start(cursor, *stream, isBack ? *last : base, isBack ? *last - base : 0);
  return true;
}

/// The column of samples' own measure, which need not have been declared as a clock.
std::optional<ColumnIndex> SampleDecoder::findColumn() {
  const RecordHeader &header = record_.header();
  std::optional<ColumnIndex> fuel = header.findColumn(sampleMeasure);
  if (fuel || header.measures.front().name == sampleMeasure)
    return fuel;
  fuel = record_.addColumn(*Measure::ofClock(sampleMeasure));
  isLeftOut_ = !fuel;
  return fuel;
}

bool SampleDecoder::decodeSamples(RecordColumns &columns) {
  AnnouncedCounts &announced = record_.sampleCounts();
  ByteCursor cursor(ArrayRef<uint8_t>(at_, end_));
  while (columns.beside.samples.size() < RecordColumns::capacity && !cursor.atEnd()) {
    uint64_t time = cursor.uleb64();
    uint64_t counted = cursor.uleb64();
    std::optional<uint32_t> stack = record_.findStack(cursor.uleb64());
    // The first sample may cover time before the clock's 0, but cannot be taken there.
    uint64_t now = time_ + time;
    bool isBack = time > INT64_MAX || int64_t(now) < 0 || int64_t(now) < int64_t(time_);
    Counts counts = {};
    if (!cursor.ok() || !stack || isBack || !announced.take(counts))
      return false;
    time_ = now;
    if (counted > 0)
      if (std::optional<ColumnIndex> column = findColumn())
        counts[*column] = counted;
    columns.beside.samples.push_back(
        {.time = time_, .timeSince = time, .stack = *stack, .countsSince = counts});
    at_ = cursor.position();
  }
  return !cursor.atEnd() || announced.atEnd();
}

bool SampleDecoder::decodeEntries(RecordColumns &columns, const std::string &place) {
  isLeftOut_ = false;
  bool isGood = decodeSamples(columns);
  if (isLeftOut_)
    columns.notes.push_back({0, NoteKind::clockLeftOut, 1, place});
  if (!isGood || atEnd())
    record_.sampleCounts().clear();
  return isGood;
}

} // namespace

template <>
std::unique_ptr<SideDecoder> warpo::makeSideDecoder<StackSample>(DeclarationReader &record) {
  return std::make_unique<SampleDecoder>(record);
}

/// Writes a column that samples cannot contain themselves.
static void writeCounts(WarpoWriter &writer, StreamIndex index, ArrayRef<StackSample> samples,
                        ColumnIndex column) {
  auto countOf = [&](const StackSample &sample) { return sample.countsSince[column]; };
  if (none_of(samples, countOf))
    return;
  writer.writeBlock([&](warpo_block *block) {
    warpo_begin_counts(block, index, samples.front().time - samples.front().timeSince,
                       WarpoWriter::clockOf(column));
    for (const StackSample &sample : samples)
      warpo_add_count(block, countOf(sample));
  });
}

static void writeSampleBlock(WarpoWriter &writer, StreamIndex index,
                             ArrayRef<StackSample> samples) {
  const RecordHeader &header = writer.header();
  const StreamInfo &info = header.streams[index];
  const auto *due = find(samplingMeasures, info.sampledBy);
  bool isKnown = due != std::end(samplingMeasures);
  // Counts are only written as differences.
  warpo_samples_fields fields{index, isKnown ? uint64_t(due - samplingMeasures) : 0,
                              info.sampleInterval, samples.front().time - samples.front().timeSince,
                              0};
  std::optional<ColumnIndex> column = header.findColumn(sampleMeasure);
  bool timeIsIt = header.measures.front().name == sampleMeasure;
  for (ColumnIndex other = 0; other < header.columns().size(); ++other)
    if (other != column)
      writeCounts(writer, index, samples, other);
  writer.writeBlock([&](warpo_block *block) {
    warpo_begin_samples(block, &fields);
    for (const StackSample &sample : samples) {
      uint64_t counted = column ? sample.countsSince[*column] : timeIsIt ? sample.timeSince : 0;
      warpo_add_sample(block, sample.timeSince, counted, sample.stack);
    }
  });
}

// In a block, each sample begins where the previous one was taken; a gap, such as from lost
// samples, ends a block.
template <>
void warpo::writeSideBlocks(WarpoWriter &writer, StreamIndex index, ArrayRef<StackSample> samples) {
  writer.declareColumns();
  writer.writeStacks();
  while (!samples.empty()) {
    size_t count = 1;
    while (count < samples.size() &&
           samples[count].time - samples[count].timeSince == samples[count - 1].time)
      ++count;
    writeSampleBlock(writer, index, samples.take_front(count));
    samples = samples.drop_front(count);
  }
}

// ---- YAML ----

template <> StringRef warpo::yamlKeyOf<StackSample>() { return "sample"; }

template <>
Error warpo::readYamlEntry(YamlSource &record, LineCursor &line, std::optional<uint64_t> &lastTime,
                           StackSample &sample) {
  constexpr StringLiteral form = "expected '- sample: [<time>, <time and fuel since the one "
                                 "before>, <frame>, ...]'";
  int64_t time;
  if (!line.take("[") || !line.takeNumber(time) || time < 0 || !line.take(",") ||
      !line.takeNumber(sample.timeSince))
    return record.problem(form);
  for (size_t column = 0; column < std::max<size_t>(record.header().columns().size(), 1); ++column)
    if (!line.take(",") || !line.takeNumber(sample.countsSince[column]))
      return record.problem(form);
  // Samples may have fuel even if the record does not declare it.
  if (record.header().columns().empty() && sample.countsSince[0] > 0)
    record.addColumn(*Measure::ofClock("fuel"));
  sample.time = YamlSource::origin + uint64_t(time);
  if (lastTime && (sample.time < *lastTime || sample.timeSince > sample.time - *lastTime))
    return record.problem("the sample begins before the one before it was taken, at " +
                          Twine(*lastTime - YamlSource::origin));
  lastTime = sample.time;
  while (line.take(",")) {
    RecordedStack stack{.parent = sample.stack,
                        .moduleId = record.header().streams[record.currentStream()].moduleId};
    if (line.take("[")) {
      if (!line.takeNumber(stack.id) || !line.take(",") || !line.takeNumber(stack.offset) ||
          !line.take("]") || stack.id <= 0)
        return record.problem("expected a frame '[<id>, <offset>]'");
    } else if (!line.takeNumber(stack.id) && !line.takeText(stack.text, ",]"))
      return record.problem(form);
    if (stack.id < 0 || (stack.id == 0 && stack.text.empty()))
      return record.problem("expected the id of a function between 1 and 2^31 - 1");
    if (Error error = record.enterFrame(std::move(stack), sample.stack))
      return error;
  }
  if (!line.take("]") || !line.atEnd())
    return record.problem(form);
  return Error::success();
}

static void writeSample(YamlWriter &writer, const StackSample &sample) {
  raw_ostream &os = writer.os();
  os << "  - sample: [" << int64_t(sample.time - writer.header().origin) << ", "
     << sample.timeSince;
  // Like the reader: without columns, fuel.
  for (ColumnIndex column = 0; column < writer.header().columns().size(); ++column)
    os << ", " << sample.countsSince[column];
  if (writer.header().columns().empty())
    os << ", " << (writer.header().hasTime() ? 0 : sample.timeSince);
  writer.writeFrames(sample.stack, [&](const RecordedStack &frame) {
    if (frame.offset != 0)
      os << '[' << frame.id << ", " << frame.offset << ']';
    else
      os << frame.id;
  });
  os << "]\n";
}

template <>
void warpo::writeYamlEntries(YamlWriter &writer, StreamIndex, ArrayRef<StackSample> samples) {
  for (const StackSample &sample : samples)
    writeSample(writer, sample);
}
