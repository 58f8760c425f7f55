//===- HeapDecoder.cpp ----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "HeapDecoder.h"

using namespace llvm;
using namespace warpo;

static_assert(unsigned(HeapOperation::allocate) == warpo_heap_allocate &&
              unsigned(HeapOperation::free) == warpo_heap_free &&
              unsigned(HeapOperation::reallocate) == warpo_heap_reallocate &&
              unsigned(HeapOperation::grow) == warpo_heap_grow);

bool HeapDecoder::decode(RecordColumns &columns,
                         function_ref<std::optional<uint32_t>(uint64_t)> findStack) {
  ByteCursor cursor(ArrayRef<uint8_t>(at_, end_));
  while (columns.beside.heap.size() < RecordColumns::capacity && !cursor.atEnd()) {
    uint64_t code = cursor.uleb64();
    uint64_t operation = code & ((1 << warpo_heap_operation_bits) - 1);
    uint64_t since = code >> warpo_heap_operation_bits;
    uint64_t time = time_ + (since << timeShift_);
    // Of a memory, or of a stack or its slot.
    uint64_t number = cursor.uleb64();
    if (!cursor.ok() || since > (UINT64_MAX - time_) >> timeShift_)
      return false;
    if (operation == warpo_heap_memory) {
      if (number > UINT32_MAX)
        return false;
      memory_ = uint32_t(number);
      time_ = time;
      at_ = cursor.position();
      continue;
    }
    if (operation > warpo_heap_grow || number > warpo_heap_slots)
      return false;
    bool isNamed = number == 0;
    number = isNamed ? cursor.uleb64() : stacks_[number - 1];
    std::optional<uint32_t> stack = findStack(number);
    if (!cursor.ok() || !stack)
      return false;
    HeapEvent event{
        .time = time, .stack = *stack, .memory = memory_, .operation = HeapOperation(operation)};
    uint64_t address = address_;
    auto readAddress = [&] { return address += warpo_unzigzag(cursor.uleb64()) << shift_; };
    if (event.operation != HeapOperation::free)
      event.size = cursor.uleb64();
    if (event.operation == HeapOperation::reallocate)
      event.oldAddress = readAddress();
    if (event.operation != HeapOperation::grow)
      event.address = readAddress();
    if (!cursor.ok())
      return false;
    columns.beside.heap.push_back(event);
    if (isNamed)
      stacks_[number % warpo_heap_slots] = number;
    time_ = time;
    address_ = address;
    at_ = cursor.position();
  }
  return true;
}
