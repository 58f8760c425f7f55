//===- EventDecoder.cpp ---------------------------------------------------===//

#include "EventDecoder.h"
#include "NumberGroups.h"
#include "llvm/Support/Endian.h"
#include <algorithm>

using namespace llvm;
using namespace warpo;

EventDecoder::EventDecoder() : calls_(warpo_max_known_calls + 2) {}

bool EventDecoder::begin(ByteCursor &cursor, uint64_t base, const BlockClocks &clocks) {
  time_ = base;
  clocks_ = clocks;
  fuel_ = clocks.fuelBase;
  fuelBackIsNoted_ = false;
  depth_ = 0;
  problem_ = "";
  uint64_t calls = cursor.uleb64();
  cursor.u8(); // whether these are all
  if (calls > warpo_max_known_calls)
    return fail("more calls than can be known");
  for (uint64_t i = 0; i < calls; ++i) {
    uint32_t code = cursor.uleb32();
    int32_t id = idOfCode(code);
    if (!cursor.ok() || code == 0 || id == 0)
      return fail("a context that names no function");
    push(code);
  }
  at_ = batchBegin_ = cursor.position();
  end_ = at_ + cursor.remaining();
  return cursor.ok() || fail("a context that is cut off");
}

void EventDecoder::addContext(RecordColumns &columns) const {
  for (size_t i = 1; i <= depth_; ++i) {
    columns.times.push_back(time_);
    columns.ids.push_back(idOfCode(calls_[i]));
    if (clocks_.fuel)
      columns.fuel.push_back(lastFuel());
  }
}

void EventDecoder::push(uint32_t code) {
  if (depth_ == warpo_max_known_calls)
    depth_ = 0;
  calls_[++depth_] = code;
}

bool EventDecoder::decode(RecordColumns &columns) {
  batchBegin_ = at_;
  while (columns.ids.size() < RecordColumns::capacity && at_ != end_) {
    bool fuelAlone = clocks_.count == 1 && clocks_.fuel;
    if (clocks_.count == 0 || fuelAlone) {
      size_t room = RecordColumns::capacity - columns.ids.size();
      size_t count = fuelAlone ? decodeFastWithFuel(room) : decodeFast(room);
      columns.times.insert(columns.times.end(), times_.begin(), times_.begin() + count);
      columns.ids.insert(columns.ids.end(), ids_.begin(), ids_.begin() + count);
      if (fuelAlone)
        columns.fuel.insert(columns.fuel.end(), fuels_.begin(), fuels_.begin() + count);
    }
    if (columns.ids.size() < RecordColumns::capacity && at_ != end_ && !decodeSlowly(columns))
      return false;
  }
  return true;
}

// About 2 ns an event. Whether a call begins or ends is as good as random, so both take the same
// way: all fields are computed, masks choose. Numbers of more than two bytes take a way of
// their own, as long as they fit a word together; specials and ends without a known call go to
// decodeSlowly. What one comparison here can settle for many events is
// asked outside of the inner loop: room, the bytes left, the clock's end.
//
// Where an event ends is what the next one waits for: few steps lead there, and two events are
// taken from the bytes of one load.
size_t EventDecoder::decodeFast(size_t most) {
  constexpr size_t maxSize = 4;
  // Further codes make no id, or one that has to be looked at.
  constexpr uint64_t maxWordCode = 0x70000000;
  uint64_t *times = times_.data();
  int32_t *ids = ids_.data();
  uint32_t *calls = calls_.data();
  const uint8_t *at = at_;
  uint64_t time = time_;
  size_t depth = depth_;
  size_t count = 0;
  // Takes the event at the start of `word`; its size in bits, 0 if it is none of these.
  auto take = [&](uint64_t word) __attribute__((always_inline))->uint32_t {
    auto low = uint32_t(word);
    uint32_t begins = ~low & 1;
    uint32_t deltaBits = low >> 4 & 8; // of its second byte
    uint32_t longCode = low >> 15 >> deltaBits & begins;
    uint32_t size = 8 + deltaBits + 8 * begins + 8 * longCode;
    uint32_t beginMask = 0 - begins;
    auto rest = uint32_t(word >> 8 >> deltaBits);
    uint32_t delta = (low & 0x7f) | (low >> 1 & 0x3f80 & (0 - (deltaBits >> 3)));
    uint32_t code = (rest & 0x7f) | (rest >> 1 & 0x3f80 & (0 - longCode));
    code = (code & beginMask) | (calls[depth] & ~beginMask);
    // Of an end, `rest` belongs to the next event, which is long then: that costs time only.
    uint32_t tooLong = ((low & low >> 8) | (rest & rest >> 8)) & 0x80;
    if (LLVM_UNLIKELY((tooLong != 0) | (code == 0)))
      return 0;
    time += delta >> 1;
    calls[depth + 1] = code;
    depth += 2 * size_t(begins) - 1;
    times[count] = time;
    auto id = uint32_t(idOfCode(code));
    ids[count] = int32_t((id ^ ~beginMask) + (1 - begins));
    ++count;
    return size;
  };
  // The same for longer numbers; its size in bytes.
  auto takeLong = [&](uint64_t word) -> unsigned {
    uint64_t ends = endsOfNumbers(word);
    if (ends == 0)
      return 0;
    unsigned size = bitsUpToEnd(ends);
    uint64_t delta = joinGroups(lowestBits(word, size));
    uint64_t code = calls[depth];
    bool begins = !(delta & 1);
    if (begins) {
      ends &= ends - 1;
      if (ends == 0)
        return 0;
      unsigned whole = bitsUpToEnd(ends);
      code = joinGroups(lowestBits(word, whole) >> size);
      size = whole;
    }
    if (code == 0 || code > maxWordCode)
      return 0;
    time += delta >> 1;
    calls[depth + 1] = uint32_t(code);
    depth += begins ? 1 : -1;
    times[count] = time;
    ids[count++] = begins ? idOfCode(uint32_t(code)) : -idOfCode(uint32_t(code));
    return size / 8;
  };
  while (size_t(end_ - at) >= sizeof(uint64_t) && time <= UINT64_MAX / 2) {
    size_t room = std::min<size_t>(most - count, warpo_max_known_calls - depth);
    if (room == 0)
      break;
    size_t before = count;
    size_t last = count + std::min(room, (size_t(end_ - at) - sizeof(uint64_t)) / maxSize);
    while (last - count >= 2) {
      uint64_t word = support::endian::read64le(at);
      uint32_t first = take(word);
      if (LLVM_UNLIKELY(first == 0))
        break;
      uint32_t second = take(word >> first);
      at += (first + second) / 8;
      if (LLVM_UNLIKELY(second == 0))
        break;
    }
    // Where long numbers are frequent it does not pay to try the short ones each time.
    size_t stop = count - before < 4 ? count + 16 : count + 1;
    unsigned size = 1;
    while (size != 0 && count < std::min(stop, most) && depth < warpo_max_known_calls &&
           size_t(end_ - at) >= sizeof(uint64_t)) {
      size = takeLong(support::endian::read64le(at));
      at += size;
    }
    if (size == 0)
      break;
  }
  at_ = at;
  time_ = time;
  depth_ = depth;
  return count;
}

bool EventDecoder::readClocks(ByteCursor &cursor) {
  for (size_t i = 0; i < clocks_.count && cursor.ok(); ++i) {
    uint64_t delta = cursor.uleb64();
    if (i != clocks_.fuel)
      continue;
    if (delta > UINT64_MAX - fuel_)
      return false;
    fuel_ += delta;
  }
  return true;
}

void EventDecoder::append(RecordColumns &columns, int32_t id) {
  if (fuel_ < clocks_.fuelBefore && clocks_.fuel && !fuelBackIsNoted_) {
    fuelBackIsNoted_ = true;
    columns.notes.push_back(
        {uint32_t(columns.ids.size()), NoteKind::fuelWentBack, clocks_.fuelBefore - fuel_, ""});
  }
  columns.times.push_back(time_);
  columns.ids.push_back(id);
  if (clocks_.fuel)
    columns.fuel.push_back(lastFuel());
}

bool EventDecoder::decodeSlowly(RecordColumns &columns) {
  ByteCursor cursor(ArrayRef<uint8_t>(at_, end_));
  uint64_t deltaAndKind = cursor.uleb64();
  uint64_t time = time_ + (deltaAndKind >> 1);
  if (time < time_)
    return fail("a time beyond 2^64 counts");
  uint32_t code = 0;
  int32_t id;
  if (deltaAndKind & 1) {
    if (depth_ == 0)
      return fail("an end without a known call");
    id = -idOfCode(calls_[depth_]);
  } else {
    code = cursor.uleb32();
    if (code == 0) {
      time_ = time;
      return decodeSpecial(cursor, columns);
    }
    id = idOfCode(code);
    if (code > 0x80000000 || id == 0)
      return fail("a function that has no id");
  }
  if (!readClocks(cursor))
    return fail("fuel beyond 2^64");
  if (!cursor.ok())
    return fail("an event that is cut off");
  if (id > 0)
    push(code);
  else
    --depth_;
  time_ = time;
  append(columns, id);
  at_ = cursor.position();
  return true;
}

bool EventDecoder::decodeSpecial(ByteCursor &cursor, RecordColumns &columns) {
  uint64_t special = cursor.uleb64();
  ArrayRef<uint8_t> fields = cursor.bytes(cursor.uleb64());
  ByteCursor field(fields);
  auto position = uint32_t(columns.ids.size());
  switch (special) {
  case warpo_special_end: {
    uint32_t code = field.uleb32();
    int32_t id = idOfCode(code);
    if (!readClocks(cursor))
      return fail("fuel beyond 2^64");
    if (!cursor.ok() || !field.ok() || code == 0 || code > 0x80000000 || id == 0)
      return fail("an end that names no function");
    append(columns, -id);
    depth_ = 0;
    break;
  }
  case warpo_special_lost: {
    RecordNote note{position, NoteKind::lost, field.uleb64(), ""};
    uint64_t cause = field.uleb64();
    note.cause = cause <= uint64_t(LossCause::processEnded) ? LossCause(cause) : LossCause::unknown;
    columns.notes.push_back(std::move(note));
    depth_ = 0;
    break;
  }
  case warpo_special_back: {
    uint64_t count = field.uleb64();
    bool isFuel = !field.atEnd() && field.uleb64() != warpo_clock_time;
    columns.notes.push_back(
        {position, isFuel ? NoteKind::fuelWentBack : NoteKind::timeWentBack, count, ""});
    break;
  }
  default:
    break;
  }
  if (!cursor.ok() || !field.ok())
    return fail("a special that is cut off");
  at_ = cursor.position();
  return true;
}
