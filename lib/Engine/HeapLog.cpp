//===- HeapLog.cpp --------------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// js/recorder/heap/recorded-heap.mjs has the same limits and messages.
//
//===----------------------------------------------------------------------===//

#include "HeapLog.h"
#include "warpo/Support/Errors.h"
#include "llvm/ADT/Twine.h"

using namespace llvm;
using namespace warpo;

static constexpr size_t mostNumbered = 0x8000;

std::optional<uint32_t> HeapLog::numberOf(wasm::ExternalKind kind, const ProgramUnit &unit,
                                          uint32_t index) {
  PlaceNumbers &numbers = kind == wasm::ExternalKind::table ? tables_ : memories_;
  auto known = numbers.find({&unit, index});
  if (known != numbers.end())
    return known->second;
  // Memory 0 is that of allocators.
  if (index != 0 && numbers.size() >= mostNumbered) {
    ++leftOut_;
    return std::nullopt;
  }
  auto number = uint32_t(numbers.size());
  numbers[{&unit, index}] = number;
  return number;
}

std::vector<std::string> HeapLog::problems() const {
  std::vector<std::string> problems;
  if (uint64_t count = warpo_heap_cut_stacks(stream_))
    problems.push_back(countOf(count, "heap event has a cut stack", "heap events have cut stacks") +
                       ": the record is out of room for stacks");
  if (leftOut_ > 0)
    problems.push_back(countOf(leftOut_, "heap event is missing", "heap events are missing") +
                       ": " + std::to_string(mostNumbered) +
                       " memories and as many tables are told apart");
  return problems;
}
