//===- HeapEvents.cpp - Heap events in blocks and in YAML -----------------===//
// SPDX-License-Identifier: Apache-2.0

#include "../warpo-format/SideBlocks.h"
#include "../yaml-format/YamlSides.h"
#include "llvm/ADT/STLExtras.h"
#include <array>

using namespace llvm;
using namespace warpo;

static_assert(unsigned(HeapOperation::allocate) == warpo_heap_allocate &&
              unsigned(HeapOperation::free) == warpo_heap_free &&
              unsigned(HeapOperation::reallocate) == warpo_heap_reallocate &&
              unsigned(HeapOperation::grow) == warpo_heap_grow);

namespace {

/// Reads consecutive numbers, for the loop below, where a cursor that reports errors would be too
/// slow.
class Numbers {
public:
  Numbers(const uint8_t *begin, const uint8_t *end) : at_(begin), end_(end) {}

  /// From the first invalid number on, always 0.
  uint64_t next() {
    uint64_t number = 0;
    for (unsigned shift = 0; at_ != end_ && shift < 64; shift += 7) {
      uint8_t byte = *at_++;
      number |= uint64_t(byte & 0x7f) << shift;
      if (byte < 0x80)
        return shift == 63 && byte > 1 ? fail() : number;
    }
    return fail();
  }
  bool ok() const { return ok_; }
  const uint8_t *position() const { return at_; }

private:
  uint64_t fail() {
    ok_ = false;
    at_ = end_;
    return 0;
  }

  const uint8_t *at_;
  const uint8_t *end_;
  bool ok_ = true;
};

class HeapDecoder : public SideDecoder {
public:
  explicit HeapDecoder(DeclarationReader &record) : SideDecoder(record, warpo_block_heap) {}

  bool mayBeCompressed() const override { return true; }
  bool begin(ByteCursor &cursor) override;

private:
  bool decodeEntries(RecordColumns &columns, const std::string &place) override;

  uint64_t address_ = 0;
  uint32_t memory_ = 0;
  /// The number of lowest bits omitted from differences of times and of addresses, below 64.
  unsigned timeShift_ = 0, shift_ = 0;
  /// Marks slots whose initial stack has not been looked up yet.
  static constexpr uint32_t notSought = UINT32_MAX;
  /// The stacks that events refer to by one byte.
  std::array<uint32_t, warpo_heap_slots> stacks_{};
};

bool HeapDecoder::begin(ByteCursor &cursor) {
  std::optional<StreamIndex> stream = record_.findStream(cursor.uleb64());
  uint64_t interval = cursor.uleb64();
  uint64_t memory = cursor.uleb64();
  uint64_t shift = cursor.uleb64();
  uint64_t timeShift = cursor.uleb64();
  uint64_t base = cursor.u64();
  if (!cursor.ok() || !stream || memory > UINT32_MAX || shift >= 64 || timeShift >= 64)
    return false;
  record_.setHeapInterval(*stream, interval);
  uint64_t last = lastTimeOf(*stream).value_or(0);
  start(cursor, *stream, std::max(base, last), base < last ? last - base : 0);
  memory_ = uint32_t(memory);
  timeShift_ = unsigned(timeShift);
  shift_ = unsigned(shift);
  address_ = 0;
  stacks_.fill(notSought);
  return true;
}

bool HeapDecoder::decodeEntries(RecordColumns &columns, const std::string &) {
  std::vector<HeapEvent> &events = columns.beside.heap;
  Numbers numbers(at_, end_);
  while (events.size() < RecordColumns::capacity && at_ != end_) {
    uint64_t code = numbers.next();
    uint64_t operation = code & ((1 << warpo_heap_operation_bits) - 1);
    uint64_t since = code >> warpo_heap_operation_bits;
    uint64_t time = time_ + (since << timeShift_);
    // The number of a memory, or of a stack or its slot.
    uint64_t number = numbers.next();
    if (!numbers.ok() || since > (UINT64_MAX - time_) >> timeShift_)
      return false;
    if (operation == warpo_heap_memory) {
      if (number > UINT32_MAX)
        return false;
      memory_ = uint32_t(number);
      time_ = time;
      at_ = numbers.position();
      continue;
    }
    if (operation > warpo_heap_grow_table || number > warpo_heap_slots)
      return false;
    bool isNamed = number == 0;
    number = isNamed ? numbers.next() : number - 1;
    uint32_t &slot = stacks_[number % warpo_heap_slots];
    uint32_t known = isNamed ? notSought : slot;
    if (known == notSought) {
      std::optional<uint32_t> stack = record_.findStack(number);
      if (!numbers.ok() || !stack)
        return false;
      known = *stack;
    }
    auto kind = HeapOperation(operation);
    if (LLVM_UNLIKELY(operation == warpo_heap_grow_table))
      kind = HeapOperation::growTable;
    uint64_t address = address_, size = 0, oldAddress = 0;
    if (kind != HeapOperation::free)
      size = numbers.next();
    if (kind == HeapOperation::reallocate)
      oldAddress = address += warpo_unzigzag(numbers.next()) << shift_;
    if (kind < HeapOperation::grow)
      address += warpo_unzigzag(numbers.next()) << shift_;
    if (!numbers.ok())
      return false;
    // Constructed in place: a copy would wait for the preceding stores.
    HeapEvent &event = events.emplace_back();
    event.time = time;
    event.address = kind >= HeapOperation::grow ? 0 : address;
    event.size = size;
    event.oldAddress = oldAddress;
    event.stack = known;
    event.memory = memory_;
    event.operation = kind;
    slot = known;
    time_ = time;
    address_ = address;
    at_ = numbers.position();
  }
  return true;
}

} // namespace

template <>
std::unique_ptr<SideDecoder> warpo::makeSideDecoder<HeapEvent>(DeclarationReader &record) {
  return std::make_unique<HeapDecoder>(record);
}

template <>
void warpo::writeSideBlocks(WarpoWriter &writer, StreamIndex index, ArrayRef<HeapEvent> events) {
  writer.writeStacks();
  uint64_t interval = writer.header().streams[index].heapInterval;
  for (size_t next = 0; next < events.size();) {
    // The maximum size of a batch.
    size_t most = std::min(events.size() - next, RecordColumns::capacity);
    MutableArrayRef<uint8_t> bytes =
        writer.room(warpo_block_header_size + size_t(warpo_max_heap_event_size) * (most + 1));
    warpo_block block = warpo_block_in(bytes.data(), bytes.size());
    warpo_heap_place place;
    // Omits as many lowest bits as recorders.
    uint64_t times = 1u << warpo_heap_time_shift;
    for (const HeapEvent &event : events.slice(next, most))
      times |= event.time;
    unsigned timeShift = unsigned(countr_zero(times));
    for (size_t end = next + most; next < end; ++next) {
      const HeapEvent &event = events[next];
      bool growsTable = event.operation == HeapOperation::growTable;
      warpo_heap_event entry{growsTable ? warpo_heap_grow_table
                                        : warpo_heap_operation(event.operation),
                             event.time,
                             event.stack,
                             event.memory,
                             event.address,
                             event.size,
                             event.oldAddress};
      if (block.size == 0) {
        warpo_heap_fields fields{index, interval, event.memory, event.time, timeShift};
        warpo_begin_heap(&block, &fields, &entry, &place);
      } else if (!warpo_heap_event_fits(&place, &entry)) {
        break;
      }
      warpo_add_heap_event(&block, &place, &entry);
    }
    writer.writeEntries(bytes.take_front(warpo_finish_block(&block)), warpo_block_heap);
  }
}

// ---- YAML ----

template <> StringRef warpo::yamlKeyOf<HeapEvent>() { return "heap"; }

static constexpr StringLiteral form =
    "'- heap: [allocate, <time>, <memory>, <address>, <size>, <frame>, ...]', '[free, <time>, "
    "<memory>, <address>, ...]', '[reallocate, <time>, <memory>, <old address>, <address>, "
    "<size>, ...]', '[grow, <time>, <memory>, <size>, ...]' or '[grow-table, <time>, <table>, "
    "<elements>, ...]'";

/// Reads everything but the stack; `time` is since the record's origin.
static bool parse(LineCursor &line, int64_t &time, HeapEvent &event) {
  std::string operation;
  if (!line.take("[") || !line.takeText(operation, ",") || !line.take(",") ||
      !line.takeNumber(time) || !line.take(",") || !line.takeNumber(event.memory))
    return false;
  const auto *known = find(heapOperationNames, operation);
  if (known == std::end(heapOperationNames))
    return false;
  event.operation = HeapOperation(known - heapOperationNames);
  auto take = [&](bool has, uint64_t &number) {
    return !has || (line.take(",") && line.takeNumber(number));
  };
  if (!take(event.operation == HeapOperation::reallocate, event.oldAddress) ||
      !take(event.operation < HeapOperation::grow, event.address) ||
      !take(event.operation != HeapOperation::free, event.size))
    return false;
  return time >= YamlSource::earliestTime;
}

template <>
Error warpo::readYamlEntry(YamlSource &record, LineCursor &line, std::optional<uint64_t> &lastTime,
                           HeapEvent &event) {
  int64_t time;
  if (!parse(line, time, event))
    return record.problem("expected " + form);
  event.time = YamlSource::origin + uint64_t(time);
  if (lastTime && event.time < *lastTime)
    return record.problem("the heap event comes before the one before it, at " +
                          Twine(int64_t(*lastTime - YamlSource::origin)));
  lastTime = event.time;
  if (Error error = record.readFrames(line, event.stack))
    return error;
  if (!line.take("]") || !line.atEnd())
    return record.problem("expected " + form);
  return Error::success();
}

static void writeHeapEvent(YamlWriter &writer, const HeapEvent &event) {
  raw_ostream &os = writer.os();
  os << "  - heap: [" << heapOperationNames[unsigned(event.operation)] << ", "
     << int64_t(event.time - writer.header().origin) << ", " << event.memory;
  if (event.operation == HeapOperation::reallocate)
    os << ", " << event.oldAddress;
  if (event.operation < HeapOperation::grow)
    os << ", " << event.address;
  if (event.operation != HeapOperation::free)
    os << ", " << event.size;
  writer.writeModuleFrames(event.stack);
  os << "]\n";
}

template <>
void warpo::writeYamlEntries(YamlWriter &writer, StreamIndex stream, ArrayRef<HeapEvent> events) {
  writer.writeHeapInterval(stream);
  for (const HeapEvent &event : events)
    writeHeapEvent(writer, event);
}
