//===- EventDecoder.cpp ---------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "EventDecoder.h"
#include "NumberGroups.h"
#include "warpo/Support/CallKind.h"
#include "llvm/Support/Endian.h"
#include <algorithm>

using namespace llvm;
using namespace warpo;

static_assert(firstFunctionId == warpo_first_id);

EventDecoder::EventDecoder() : calls_(warpo_max_known_calls + 2) {}

bool EventDecoder::begin(ByteCursor &cursor, uint64_t base, const BlockClocks &clocks) {
  time_ = base;
  clocks_ = clocks;
  counts_ = clocks.bases;
  wentBack_ = {};
  depth_ = 0;
  problem_ = "";
  uint64_t calls = cursor.uleb64();
  cursor.u8(); // whether these are all
  if (calls > warpo_max_known_calls)
    return fail("more calls than can be known");
  for (uint64_t i = 0; i < calls; ++i) {
    uint32_t code = cursor.uleb32();
    int32_t id = warpo_function_id(code);
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
    columns.ids.push_back(warpo_function_id(calls_[i]));
    columns.addCounts(clocks_.columns, lastCounts());
  }
}

Counts EventDecoder::lastCounts() const {
  Counts last;
  for (ColumnIndex column = 0; column < maxColumns; ++column)
    last[column] = std::max(counts_[column], clocks_.before[column]);
  return last;
}

void EventDecoder::push(uint32_t code) {
  if (depth_ == warpo_max_known_calls)
    depth_ = 0;
  calls_[++depth_] = code;
}

bool EventDecoder::decode(RecordColumns &columns) {
  batchBegin_ = at_;
  // A block may have only losses, or meaningless specials.
  auto hasRoom = [&] {
    return columns.ids.size() < RecordColumns::capacity &&
           columns.notes.size() < RecordColumns::capacity &&
           size_t(at_ - batchBegin_) < maxBatchSize;
  };
  while (hasRoom() && at_ != end_) {
    bool isOneColumn = clocks_.isOneColumn();
    if (clocks_.clocks.empty() || isOneColumn) {
      size_t room = RecordColumns::capacity - columns.ids.size();
      size_t count = isOneColumn ? decodeFastCounted(room) : decodeFast(room);
      columns.times.insert(columns.times.end(), times_.begin(), times_.begin() + count);
      columns.ids.insert(columns.ids.end(), ids_.begin(), ids_.begin() + count);
      if (isOneColumn) {
        std::vector<uint64_t> &column = columns.counts[*clocks_.clocks.front().column];
        column.insert(column.end(), counted_.begin(), counted_.begin() + count);
      }
    }
    skipUnknownSpecials();
    if (columns.ids.size() < RecordColumns::capacity && at_ != end_ && !decodeSlowly(columns))
      return false;
  }
  return true;
}

// Skips those with one-byte numbers: a block may consist of them, and must not take longer than one
// of events.
void EventDecoder::skipUnknownSpecials() {
  constexpr size_t headSize = 4;
  while (size_t(end_ - at_) >= headSize && size_t(at_ - batchBegin_) < maxBatchSize) {
    auto [delta, code, special, size] = std::tuple(at_[0], at_[1], at_[2], at_[3]);
    bool isKnown = special == warpo_special_end || special == warpo_special_lost ||
                   special == warpo_special_back;
    bool isShort = ((delta | special | size) & 0x80) == 0 && (delta & 1) == 0 && code == 0;
    if (!isShort || isKnown || size > size_t(end_ - at_) - headSize || time_ > UINT64_MAX / 2)
      return;
    time_ += delta >> 1;
    at_ += headSize + size;
  }
}

// About 2 ns per event. Whether a call begins or ends is unpredictable, so both are decoded alike:
// all fields are computed, and selected by masks. Numbers of more than two bytes have a separate
// path, as long as they fit a word together; specials and ends without a known call are left to
// decodeSlowly. Checks that a single comparison can do for many events are outside of the inner
// loop: space, remaining bytes, the end of the clock.
//
// The next event depends on the end of the previous one: this takes few steps, and two events are
// decoded from one load.
size_t EventDecoder::decodeFast(size_t most) {
  constexpr size_t maxSize = 4;
  // Higher codes are not ids, or need checks.
  constexpr uint64_t maxWordCode = 0x70000000;
  uint64_t *times = times_.data();
  int32_t *ids = ids_.data();
  uint32_t *calls = calls_.data();
  const uint8_t *at = at_;
  uint64_t time = time_;
  size_t depth = depth_;
  size_t count = 0;
  // Decodes the event at the start of `word`; returns its size in bits, or 0 for another form.
  auto take = [&](uint64_t word) __attribute__((always_inline)) -> uint32_t {
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
    // After an end, `rest` belongs to the next event and may make this one look long, which only
    // costs time.
    uint32_t tooLong = ((low & low >> 8) | (rest & rest >> 8)) & 0x80;
    if (LLVM_UNLIKELY((tooLong != 0) | (code == 0)))
      return 0;
    time += delta >> 1;
    calls[depth + 1] = code;
    depth += 2 * size_t(begins) - 1;
    times[count] = time;
    auto id = uint32_t(warpo_function_id(code));
    ids[count] = int32_t((id ^ ~beginMask) + (1 - begins));
    ++count;
    return size;
  };
  // The same for longer numbers; returns the size in bytes.
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
    ids[count++] = begins ? warpo_function_id(uint32_t(code)) : -warpo_function_id(uint32_t(code));
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
    // If long numbers are frequent, trying short ones each time does not pay.
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

/// An invalid index for a clock without a column, or one that the block lacks.
ColumnIndex EventDecoder::columnOf(uint64_t clockNumber) const {
  for (const BlockClocks::Clock &clock : clocks_.clocks)
    if (clock.number == clockNumber && clock.column)
      return *clock.column;
  return maxColumns;
}

bool EventDecoder::readClocks(ByteCursor &cursor) {
  for (const BlockClocks::Clock &clock : clocks_.clocks) {
    uint64_t delta = cursor.uleb64();
    if (!cursor.ok())
      break;
    if (!clock.column)
      continue;
    uint64_t &count = counts_[*clock.column];
    if (delta > UINT64_MAX - count)
      return false;
    count += delta;
  }
  return true;
}

void EventDecoder::append(RecordColumns &columns, int32_t id) {
  for (ColumnIndex column : clocks_.columns)
    if (counts_[column] < clocks_.before[column] && wentBack_.insert(column))
      columns.notes.push_back({.position = uint32_t(columns.ids.size()),
                               .kind = NoteKind::countWentBack,
                               .count = clocks_.before[column] - counts_[column],
                               .place = "",
                               .column = column});
  columns.times.push_back(time_);
  columns.ids.push_back(id);
  columns.addCounts(clocks_.columns, lastCounts());
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
    id = -warpo_function_id(calls_[depth_]);
  } else {
    code = cursor.uleb32();
    if (code == 0) {
      time_ = time;
      return decodeSpecial(cursor, columns);
    }
    id = warpo_function_id(code);
    if (code > WARPO_MAX_FUNCTION_CODE || id == 0)
      return fail("a function that has no id");
  }
  if (!readClocks(cursor))
    return fail("a clock beyond 2^64");
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
    int32_t id = warpo_function_id(code);
    if (!readClocks(cursor))
      return fail("a clock beyond 2^64");
    if (!cursor.ok() || !field.ok() || code == 0 || code > WARPO_MAX_FUNCTION_CODE || id == 0)
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
    uint64_t number = field.atEnd() ? uint64_t(warpo_clock_time) : field.uleb64();
    RecordNote note{position, NoteKind::timeWentBack, count, ""};
    if (number != warpo_clock_time) {
      note.kind = NoteKind::countWentBack;
      note.column = columnOf(number);
    }
    columns.notes.push_back(std::move(note));
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
