//===- InlinedCode.cpp ----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "InlinedCode.h"
#include "llvm/ADT/STLExtras.h"
#include <queue>
#include <tuple>

using namespace llvm;
using namespace warpo;

std::vector<CallChange> warpo::changesOf(std::vector<CallRange> ranges, uint64_t end) {
  std::vector<CallChange> changes;
  // The last range at a place counts, so ranges that begin at the same place may come in any order.
  llvm::sort(ranges, [](const CallRange &a, const CallRange &b) {
    return std::tuple(a.low, a.call, a.high) < std::tuple(b.low, b.call, b.high);
  });
  auto isOuter = [](const CallRange &a, const CallRange &b) { return a.call < b.call; };
  std::priority_queue<CallRange, std::vector<CallRange>, decltype(isOuter)> running(isOuter);
  auto say = [&](uint64_t offset) {
    uint32_t call = running.empty() ? 0 : running.top().call;
    if (!changes.empty() && changes.back().offset == offset)
      changes.pop_back();
    if (offset < end && (changes.empty() ? 0 : changes.back().call) != call)
      changes.push_back({uint32_t(offset), call});
  };
  // The innermost range ends first; those below it may have ended before.
  auto endUpTo = [&](uint64_t offset) {
    while (!running.empty() && running.top().high <= offset) {
      uint64_t ended = running.top().high;
      while (!running.empty() && running.top().high <= ended)
        running.pop();
      say(ended);
    }
  };
  for (const CallRange &range : ranges) {
    endUpTo(range.low);
    running.push(range);
    say(range.low);
  }
  endUpTo(end);
  return changes;
}

void warpo::dropUnusedCalls(FunctionPlaces &function) {
  std::vector<uint32_t> numbers(function.calls.size() + 1);
  for (const CallChange &change : function.changes)
    numbers[change.call] = 1;
  for (size_t number = function.calls.size(); number; --number)
    if (numbers[number])
      numbers[function.calls[number - 1].around] = 1;
  numbers[0] = 0;
  uint32_t kept = 0;
  for (size_t number = 1; number != numbers.size(); ++number) {
    if (!numbers[number])
      continue;
    InlinedCall call = function.calls[number - 1];
    call.around = numbers[call.around];
    function.calls[kept] = call;
    numbers[number] = ++kept;
  }
  function.calls.resize(kept);
  for (CallChange &change : function.changes)
    change.call = numbers[change.call];
}
