//===- FuelEvents.cpp - The fast way through events with fuel -------------===//

#include "EventDecoder.h"
#include "NumberGroups.h"
#include "llvm/Support/Endian.h"

using namespace llvm;
using namespace warpo;

// About half as much again an event as without fuel: an event is two or three numbers, time and
// kind, of a begin the function, and fuel; as long as they fit a word together they are taken
// without a branch on which of them there are and how long they are. All else goes to
// decodeSlowly(), and so does fuel that is less than what the stream has burnt before.
size_t EventDecoder::decodeFastWithFuel(size_t most) {
  // Further codes make no id, or one that has to be looked at.
  constexpr uint64_t maxWordCode = 0x70000000;
  // What a word adds to them keeps both within 64 bits.
  constexpr uint64_t maxSum = UINT64_MAX / 2;
  if (fuel_ < clocks_.fuelBefore)
    return 0;
  uint64_t *times = times_.data();
  uint64_t *fuels = fuels_.data();
  int32_t *ids = ids_.data();
  uint32_t *calls = calls_.data();
  const uint8_t *at = at_;
  uint64_t time = time_;
  uint64_t fuel = fuel_;
  size_t depth = depth_;
  size_t count = 0;
  while (count < most && size_t(end_ - at) >= sizeof(uint64_t) && (time | fuel) <= maxSum &&
         depth < warpo_max_known_calls) {
    uint64_t word = support::endian::read64le(at);
    uint64_t begins = ~word & 1;
    uint64_t beginMask = 0 - begins;
    uint64_t ends = endsOfNumbers(word);
    uint64_t furtherEnds = ends & (ends - 1);
    uint64_t lastEnds = furtherEnds & (furtherEnds - 1);
    uint64_t endOfFuel = (lastEnds & beginMask) | (furtherEnds & ~beginMask);
    if (LLVM_UNLIKELY(endOfFuel == 0))
      break;
    unsigned timeBits = bitsUpToEnd(ends);
    // Of an end, the function takes no room.
    unsigned codeBits = bitsUpToEnd((furtherEnds & beginMask) | (ends & ~beginMask));
    unsigned bits = bitsUpToEnd(endOfFuel);
    uint64_t code = lowestBits(word, codeBits) >> timeBits;
    uint64_t timeAndKind = lowestBits(word, timeBits);
    uint64_t added = lowestBits(word, bits) >> codeBits;
    // Each has two bytes at most, mostly.
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
    // Also where it is 0, a special or an end without a known call.
    if (LLVM_UNLIKELY(code - 1 >= maxWordCode))
      break;
    time += timeAndKind >> 1;
    fuel += added;
    calls[depth + 1] = uint32_t(code);
    depth += 2 * size_t(begins) - 1;
    times[count] = time;
    fuels[count] = fuel;
    auto id = uint32_t(idOfCode(uint32_t(code)));
    ids[count++] = int32_t((id ^ ~uint32_t(beginMask)) + (1 - uint32_t(begins)));
    at += bits / 8;
  }
  at_ = at;
  time_ = time;
  fuel_ = fuel;
  depth_ = depth;
  return count;
}
