//===- EventDecoder.h - The events of a block -----------------------------===//

#ifndef WARPO_LIB_RECORD_WARPO_EVENTDECODER_H
#define WARPO_LIB_RECORD_WARPO_EVENTDECODER_H

#include "warpo/Record/RecordBatch.h"
#include "warpo/Recorder/record_encoding.h"
#include "warpo/Support/ByteCursor.h"
#include <array>
#include <optional>

namespace warpo {

/// The further clocks of a block's events.
struct BlockClocks {
  size_t count = 0;
  /// Which of them counts fuel, and from where.
  std::optional<size_t> fuel;
  uint64_t fuelBase = 0;
  /// What the stream has burnt before: no event gets less.
  uint64_t fuelBefore = 0;
};

/// Unpacks a block of events, batch after batch, as docs/record-format.md says. One for all blocks
/// of a record.
class EventDecoder {
public:
  EventDecoder();

  /// The id of a function by its number in the format, which is not 0.
  static int32_t idOfCode(uint32_t code) {
    return int32_t((code - 1 + uint32_t(warpo_first_id)) & 0x7fffffff);
  }

  /// Begins a block at its context, which `cursor` stands at. False if the context is cut off.
  bool begin(ByteCursor &cursor, uint64_t base, const BlockClocks &clocks);

  /// Appends the calls of the context of the block that has just begun, as begins at its start.
  void addContext(RecordColumns &columns) const;

  /// Appends entries to `columns` until they are full or the block is at its end. False, with
  /// problem(), if the rest of the block makes no sense; what was appended is good.
  bool decode(RecordColumns &columns);

  bool atEnd() const { return at_ == end_; }
  uint64_t lastTime() const { return time_; }
  uint64_t lastFuel() const { return std::max(fuel_, clocks_.fuelBefore); }
  /// Of the first byte that has not been decoded, from the start of the payload's events.
  const uint8_t *position() const { return at_; }
  llvm::StringRef problem() const { return problem_; }
  /// Places in the block of the entries of the last decode() cost too much to keep; of its first
  /// one:
  const uint8_t *batchBegin() const { return batchBegin_; }

private:
  /// Decodes at most so many events of the common forms into times_ and ids_; returns how many.
  size_t decodeFast(size_t most);
  /// The same, of a block whose only further clock is fuel, and into fuels_ too.
  size_t decodeFastWithFuel(size_t most);
  bool decodeSlowly(RecordColumns &columns);
  bool decodeSpecial(ByteCursor &cursor, RecordColumns &columns);
  /// Reads the further clocks of an event. False if its fuel goes beyond 64 bits.
  bool readClocks(ByteCursor &cursor);
  void append(RecordColumns &columns, int32_t id);
  void push(uint32_t code);
  bool fail(llvm::StringRef problem) {
    problem_ = problem;
    return false;
  }

  const uint8_t *at_ = nullptr;
  const uint8_t *end_ = nullptr;
  const uint8_t *batchBegin_ = nullptr;
  uint64_t time_ = 0;
  BlockClocks clocks_;
  uint64_t fuel_ = 0;
  bool fuelBackIsNoted_ = false;
  /// The functions of the known calls, as codes, outermost first; in front of them a 0, which is
  /// no function's, so that a look at the innermost call is always good.
  std::vector<uint32_t> calls_;
  size_t depth_ = 0;
  /// Where these leave what they find: the columns, as vectors, would be filled with zeros
  /// before.
  std::array<uint64_t, RecordColumns::capacity> times_;
  std::array<int32_t, RecordColumns::capacity> ids_;
  std::array<uint64_t, RecordColumns::capacity> fuels_;
  llvm::StringRef problem_;
};

} // namespace warpo

#endif
