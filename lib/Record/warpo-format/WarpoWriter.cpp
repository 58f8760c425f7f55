//===- WarpoWriter.cpp ----------------------------------------------------===//

#include "WarpoWriter.h"
#include "warpo/Record/FunctionTable.h"
#include "warpo/Support/Errors.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Compression.h"

using namespace llvm;
using namespace warpo;

namespace {

/// Puts a block together: room for its header, then fields.
class BlockBuilder {
public:
  BlockBuilder() { bytes_.resize(warpo_block_header_size); }

  BlockBuilder &u(uint64_t value) {
    uint8_t room[10];
    bytes_.append(room, warpo_put_u(room, value));
    return *this;
  }
  BlockBuilder &fixed64(uint64_t value) {
    uint8_t room[8];
    bytes_.append(room, warpo_put_fixed(room, value, 8));
    return *this;
  }
  BlockBuilder &text(StringRef text) {
    u(text.size());
    bytes_.append(text.bytes_begin(), text.bytes_end());
    return *this;
  }
  size_t size() const { return bytes_.size(); }
  MutableArrayRef<uint8_t> block() { return bytes_; }

private:
  SmallVector<uint8_t, 256> bytes_;
};

} // namespace

// A block is lost as a whole, so small ones are better; each stream holds one, so many streams get
// smaller ones.
static size_t blockSizeFor(size_t streams) {
  return streams <= 64 ? 1 << 16 : streams <= 1024 ? 1 << 14 : 1 << 12;
}

static constexpr size_t declarationSize = 1 << 20;

WarpoWriter::WarpoWriter(raw_ostream &os, const RecordWriterContext &context)
    : os_(os), context_(context) {
  os_.write(WARPO_SIGNATURE, warpo_signature_size);
  offset_ = warpo_signature_size;
  writeClock(warpo_clock_time);
}

void WarpoWriter::writeClock(uint64_t number) {
  const RecordHeader &header = context_.header;
  BlockBuilder clock;
  clock.fixed64(number);
  if (number == warpo_clock_time) {
    bool hasScale = context_.scale && !header.timeIsFuel;
    clock.fixed64(hasScale ? context_.scale->nanoseconds() : 0);
    clock.fixed64(hasScale ? context_.scale->counts() : 0);
    clock.fixed64(header.origin).fixed64(header.wallClock);
    clock.fixed64(header.probe.begin).fixed64(header.probe.end);
    clock.text(header.timeIsFuel ? StringRef(header.fuelClock) : "time");
  } else {
    for (int field = 0; field < 6; ++field)
      clock.fixed64(0);
    clock.text(header.fuelClock);
  }
  writeBlock(warpo_block_clock, clock.block());
}

WarpoWriter::~WarpoWriter() {
  for (Stream &stream : streams_)
    warpo_encoder_free(&stream.encoder);
}

void WarpoWriter::writeBlock(warpo_block_kind kind, MutableArrayRef<uint8_t> block) {
  ArrayRef<uint8_t> payload = block.drop_front(warpo_block_header_size);
  if (context_.compress && kind == warpo_block_events) {
    SmallVector<uint8_t, 0> frame;
    compression::zstd::compress(payload, frame, compression::zstd::BestSpeedCompression);
    compressed_.assign(warpo_block_header_size, 0);
    compressed_.append(frame.begin(), frame.end());
    warpo_frame_block(compressed_.data(), kind, warpo_block_is_compressed, frame.size());
    block = compressed_;
  } else {
    warpo_frame_block(block.data(), kind, 0, payload.size());
  }
  os_ << toStringRef(block);
  offset_ += block.size();
}

void WarpoWriter::writeFunctions(uint64_t number, uint64_t moduleId) {
  std::vector<const Function *> functions = context_.functions.functionsOf(moduleId);
  const RecordedModule *recorded = nullptr;
  for (const RecordedModule &module : context_.header.modules)
    if (module.id == moduleId)
      recorded = &module;
  size_t next = 0;
  do {
    BlockBuilder names;
    size_t first = next;
    for (; next < functions.size() && names.size() < declarationSize; ++next)
      names.u(uint64_t(functions[next]->id)).text(functions[next]->name);
    BlockBuilder module;
    module.u(number).u(moduleId).text(context_.functions.mappedModuleName(moduleId));
    module.text(recorded ? recorded->hash : "").text(recorded ? recorded->buildId : "");
    module.u(next - first);
    SmallVector<uint8_t, 0> block(module.block());
    block.append(names.block().begin() + warpo_block_header_size, names.block().end());
    writeBlock(warpo_block_module, block);
  } while (next < functions.size());
}

uint64_t WarpoWriter::declareModule(uint64_t moduleId) {
  auto [entry, isNew] = modules_.try_emplace(moduleId, modules_.size());
  if (isNew)
    writeFunctions(entry->second, moduleId);
  return entry->second;
}

Error WarpoWriter::openStream(StreamIndex index) {
  if (index >= streams_.size())
    streams_.resize(index + 1);
  Stream &stream = streams_[index];
  if (stream.isOpen)
    return Error::success();
  const StreamInfo &info = context_.header.streams[index];
  uint64_t module = declareModule(info.moduleId);
  BlockBuilder declaration;
  declaration.u(index).u(module).u(info.thread).text(info.name);
  if (info.isHost)
    declaration.u(warpo_stream_is_host);
  writeBlock(warpo_block_stream, declaration.block());
  if (!warpo_encoder_init(&stream.encoder, index, blockSizeFor(context_.header.streams.size())))
    return makeError("no memory for the streams of the record");
  stream.isOpen = true;
  return Error::success();
}

void WarpoWriter::finishBlock(StreamIndex index) {
  warpo_event_encoder &encoder = streams_[index].encoder;
  if (!encoder.next)
    return;
  index_.push_back({offset_, index, encoder.first_time, encoder.last_time});
  auto size = size_t(encoder.next - encoder.block);
  encoder.next = nullptr;
  writeBlock(warpo_block_events, MutableArrayRef(encoder.block, size));
}

void WarpoWriter::ensureBlock(StreamIndex index, uint64_t time) {
  warpo_event_encoder &encoder = streams_[index].encoder;
  if (encoder.next && warpo_encoder_is_full(&encoder))
    finishBlock(index);
  if (!encoder.next)
    warpo_encoder_begin(&encoder, time);
}

void WarpoWriter::writeNote(StreamIndex index, const RecordNote &note, uint64_t time) {
  warpo_event_encoder &encoder = streams_[index].encoder;
  if (note.kind == NoteKind::timeWentBack) {
    ensureBlock(index, time);
    warpo_encode_back(&encoder, note.count);
  } else if (note.kind == NoteKind::fuelWentBack) {
    ensureBlock(index, time);
    warpo_encode_fuel_back(&encoder, note.count);
  } else if (note.kind == NoteKind::lost) {
    ensureBlock(index, time);
    warpo_encode_lost(&encoder, std::max(time, encoder.last_time), note.count,
                      warpo_loss_cause(note.cause));
    lost_ += note.count;
  }
}

void WarpoWriter::addFuel(StreamIndex index) {
  warpo_event_encoder &encoder = streams_[index].encoder;
  if (encoder.has_fuel)
    return;
  finishBlock(index);
  encoder.has_fuel = true;
  declareFuel();
}

void WarpoWriter::declareFuel() {
  if (!hasFuelClock_ && !context_.header.timeIsFuel && !context_.header.fuelClock.empty())
    writeClock(warpo_clock_fuel);
  hasFuelClock_ = true;
}

void WarpoWriter::writeStacks() {
  const std::vector<RecordedStack> &stacks = context_.header.stacks;
  while (stacks_ < stacks.size()) {
    // A module's block goes before that of the stacks which name it.
    size_t last = stacks_;
    for (size_t size = 0; last < stacks.size() && size < declarationSize; ++last) {
      if (stacks[last].id != 0)
        declareModule(stacks[last].moduleId);
      size += stacks[last].text.size() + 1;
    }
    BlockBuilder block;
    block.u(stacks_);
    for (; stacks_ < last; ++stacks_) {
      const RecordedStack &stack = stacks[stacks_];
      block.u(stack.parent);
      if (stack.id != 0)
        block.u(declareModule(stack.moduleId) + 1).u(warpo_function_code(stack.id));
      else
        block.u(0).text(stack.text);
    }
    writeBlock(warpo_block_stacks, block.block());
  }
}

void WarpoWriter::writeSamples(StreamIndex index, ArrayRef<StackSample> samples) {
  declareFuel();
  writeStacks();
  const StreamInfo &info = context_.header.streams[index];
  BlockBuilder block;
  block.u(index).u(uint64_t(info.sampledBy)).u(info.sampleInterval);
  // Fuel is told by differences alone.
  block.fixed64(samples.front().time - samples.front().timeSince).fixed64(0);
  for (const StackSample &sample : samples)
    block.u(sample.timeSince).u(sample.fuelSince).u(sample.stack);
  writeBlock(warpo_block_samples, block.block());
}

Error WarpoWriter::write(const RecordBatch &batch) {
  if (Error error = openStream(batch.stream))
    return error;
  if (!batch.samples.empty())
    writeSamples(batch.stream, batch.samples);
  if (!batch.fuel.empty())
    addFuel(batch.stream);
  warpo_event_encoder &encoder = streams_[batch.stream].encoder;
  size_t next = 0;
  auto writeUpTo = [&](size_t end) {
    while (next < end) {
      ensureBlock(batch.stream, batch.times[next]);
      if (!encoder.has_fuel)
        for (; next < end && !warpo_encoder_is_full(&encoder); ++next)
          warpo_encode_event(&encoder, batch.times[next], batch.ids[next]);
      for (; next < end && !warpo_encoder_is_full(&encoder); ++next)
        warpo_encode_fuel_event(&encoder, batch.times[next], batch.ids[next],
                                batch.fuel.empty() ? encoder.last_fuel : batch.fuel[next]);
    }
  };
  for (const RecordNote &note : batch.notes) {
    writeUpTo(note.position);
    // A loss lasts until the entry behind it; at the end of a batch nobody knows that one. Entries
    // may lie before the origin.
    uint64_t time = next > 0                 ? batch.times[next - 1]
                    : encoder.last_time != 0 ? encoder.last_time
                    : !batch.times.empty()   ? batch.times.front()
                                             : 0;
    writeNote(batch.stream, note, time);
  }
  writeUpTo(batch.size());
  events_ += batch.size();
  return Error::success();
}

/// A block for each run.
void WarpoWriter::writePhases() {
  ArrayRef<RecordedPhase> phases = context_.header.phases;
  while (!phases.empty()) {
    StringRef run = phases.front().run;
    ArrayRef<RecordedPhase> ofRun =
        phases.take_while([&](const RecordedPhase &phase) { return phase.run == run; });
    phases = phases.drop_front(ofRun.size());
    BlockBuilder block;
    block.u(ofRun.size());
    for (const RecordedPhase &phase : ofRun)
      block.text(phase.name)
          .fixed64(phase.begin)
          .fixed64(phase.end)
          .text(phase.unit)
          .fixed64(phase.ticks);
    if (!run.empty())
      block.text(run);
    writeBlock(warpo_block_phases, block.block());
  }
}

Error WarpoWriter::finish() {
  for (StreamIndex index = 0; index < streams_.size(); ++index)
    finishBlock(index);
  writePhases();
  uint64_t indexOffset = 0;
  BlockBuilder index;
  index.u(index_.size());
  uint64_t offset = 0;
  uint64_t time = 0;
  for (const IndexEntry &entry : index_) {
    index.u(entry.offset - offset)
        .u(entry.stream)
        .u(entry.first - time)
        .u(entry.last - entry.first);
    offset = entry.offset;
    time = entry.first;
  }
  // Of a record that is too large for one, only the index is missing.
  if (index.size() <= warpo_max_payload) {
    indexOffset = offset_;
    writeBlock(warpo_block_index, index.block());
  }
  BlockBuilder end;
  end.fixed64(indexOffset).fixed64(events_).fixed64(lost_);
  writeBlock(warpo_block_end, end.block());
  return Error::success();
}
