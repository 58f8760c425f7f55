//===- HeapDecoder.cpp ----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "HeapDecoder.h"

using namespace llvm;
using namespace warpo;

static_assert(unsigned(HeapOperation::allocate) == warpo_heap_allocate &&
              unsigned(HeapOperation::free) == warpo_heap_free &&
              unsigned(HeapOperation::reallocate) == warpo_heap_reallocate &&
              unsigned(HeapOperation::grow) == warpo_heap_grow);

namespace {

/// Reads numbers one after the other: for the loop below, where a cursor that can say what is wrong
/// takes too long.
class Numbers {
public:
  Numbers(const uint8_t *begin, const uint8_t *end) : at_(begin), end_(end) {}

  /// 0, for ever, from the first on that is none.
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

} // namespace

bool HeapDecoder::decode(RecordColumns &columns,
                         function_ref<std::optional<uint32_t>(uint64_t)> findStack) {
  std::vector<HeapEvent> &events = columns.beside.heap;
  Numbers numbers(at_, end_);
  while (events.size() < RecordColumns::capacity && at_ != end_) {
    uint64_t code = numbers.next();
    uint64_t operation = code & ((1 << warpo_heap_operation_bits) - 1);
    uint64_t since = code >> warpo_heap_operation_bits;
    uint64_t time = time_ + (since << timeShift_);
    // Of a memory, or of a stack or its slot.
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
      std::optional<uint32_t> stack = findStack(number);
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
    // In its place at once: a copy would wait for what was just stored.
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
