//===- CountedEvents.cpp - The fast way through events with one column ----===//
// SPDX-License-Identifier: Apache-2.0

#include "EventDecoder.h"
#include "NumberGroups.h"
#include "llvm/Support/Endian.h"

using namespace llvm;
using namespace warpo;

// Takes about 1.5 times as long per event as without a column. An event is two or three numbers:
// time and kind, the function of a begin, and the amount counted. If they fit a word together, they
// are decoded without branches on their number and sizes. Everything else is left to
// decodeSlowly(), including a count below the stream's previous one.
size_t EventDecoder::decodeFastCounted(size_t most) {
  // Higher codes are not ids, or need checks.
  constexpr uint64_t maxWordCode = 0x70000000;
  // The additions of one word keep both within 64 bits.
  constexpr uint64_t maxSum = UINT64_MAX / 2;
  ColumnIndex column = *clocks_.clocks.front().column;
  uint64_t counted = counts_[column];
  if (counted < clocks_.before[column])
    return 0;
  uint64_t *times = times_.data();
  uint64_t *counts = counted_.data();
  int32_t *ids = ids_.data();
  uint32_t *calls = calls_.data();
  const uint8_t *at = at_;
  uint64_t time = time_;
  size_t depth = depth_;
  size_t count = 0;
  while (count < most && size_t(end_ - at) >= sizeof(uint64_t) && (time | counted) <= maxSum &&
         depth < warpo_max_known_calls) {
    uint64_t word = support::endian::read64le(at);
    uint64_t begins = ~word & 1;
    uint64_t beginMask = 0 - begins;
    uint64_t ends = endsOfNumbers(word);
    uint64_t furtherEnds = ends & (ends - 1);
    uint64_t lastEnds = furtherEnds & (furtherEnds - 1);
    uint64_t endOfCount = (lastEnds & beginMask) | (furtherEnds & ~beginMask);
    if (LLVM_UNLIKELY(endOfCount == 0))
      break;
    unsigned timeBits = bitsUpToEnd(ends);
    // An end has no function.
    unsigned codeBits = bitsUpToEnd((furtherEnds & beginMask) | (ends & ~beginMask));
    unsigned bits = bitsUpToEnd(endOfCount);
    uint64_t code = lowestBits(word, codeBits) >> timeBits;
    uint64_t timeAndKind = lowestBits(word, timeBits);
    uint64_t added = lowestBits(word, bits) >> codeBits;
    // Most numbers have at most two bytes.
    if (LLVM_LIKELY((code | timeAndKind | added) < 0x10000)) {
      code = joinTwo(code);
      timeAndKind = joinTwo(timeAndKind);
      added = joinTwo(added);
    } else {
      code = joinGroups(code);
      timeAndKind = joinGroups(timeAndKind);
      added = joinGroups(added);
    }
    code = (code & beginMask) | (calls[depth] & ~beginMask);
    // Includes 0: a special, or an end without a known call.
    if (LLVM_UNLIKELY(code - 1 >= maxWordCode))
      break;
    time += timeAndKind >> 1;
    counted += added;
    calls[depth + 1] = uint32_t(code);
    depth += 2 * size_t(begins) - 1;
    times[count] = time;
    counts[count] = counted;
    auto id = uint32_t(warpo_function_id(uint32_t(code)));
    ids[count++] = int32_t((id ^ ~uint32_t(beginMask)) + (1 - uint32_t(begins)));
    at += bits / 8;
  }
  at_ = at;
  time_ = time;
  counts_[column] = counted;
  depth_ = depth;
  return count;
}
