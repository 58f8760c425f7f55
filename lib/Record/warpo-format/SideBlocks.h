//===- SideBlocks.h - The blocks of what stands beside the calls ----------===//
// SPDX-License-Identifier: Apache-2.0
//
// Each kind of side entry (WARPO_SIDE_KINDS) has blocks of its own, which one file reads and
// writes.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_LIB_RECORD_WARPO_SIDEBLOCKS_H
#define WARPO_LIB_RECORD_WARPO_SIDEBLOCKS_H

#include "DeclarationReader.h"
#include "WarpoWriter.h"

namespace warpo {

/// Unpacks the blocks of one kind, batch after batch, as docs/record-format.md says.
class SideDecoder {
public:
  /// `record` outlives this.
  SideDecoder(DeclarationReader &record, warpo_block_kind kind) : record_(record), kind_(kind) {}
  virtual ~SideDecoder() = default;

  warpo_block_kind kind() const { return kind_; }
  /// Whether its blocks may be compressed: only frequent entries are worth it.
  virtual bool mayBeCompressed() const { return false; }

  /// Begins a block: reads its fields up to the first entry and calls start() there. False if they
  /// make no sense.
  virtual bool begin(ByteCursor &cursor) = 0;
  /// Appends entries to `columns` until they are full or the block is at its end. False if the rest
  /// of the block makes no sense; what was appended is good. `place`: the block's, for notes.
  bool decode(RecordColumns &columns, const std::string &place) {
    bool isGood = decodeEntries(columns, place);
    lastTimes_[stream_] = time_;
    return isGood;
  }

  StreamIndex stream() const { return stream_; }
  /// By how many counts the block begins before the last entry of its stream.
  uint64_t wentBack() const { return wentBack_; }
  bool atEnd() const { return at_ == end_; }
  /// Of the first byte that has not been decoded.
  const uint8_t *position() const { return at_; }

protected:
  virtual bool decodeEntries(RecordColumns &columns, const std::string &place) = 0;

  /// When the last entry of a stream was, of those decoded.
  std::optional<uint64_t> lastTimeOf(StreamIndex stream) const {
    auto known = lastTimes_.find(stream);
    return known == lastTimes_.end() ? std::nullopt : std::optional(known->second);
  }
  /// Entries follow from where `cursor` stands. Their times count from `base`, but the block says
  /// `wentBack` less.
  void start(const ByteCursor &cursor, StreamIndex stream, uint64_t base, uint64_t wentBack) {
    at_ = cursor.position();
    end_ = at_ + cursor.remaining();
    time_ = base;
    stream_ = stream;
    wentBack_ = wentBack;
  }

  DeclarationReader &record_;
  const uint8_t *at_ = nullptr;
  const uint8_t *end_ = nullptr;
  /// Of the last entry.
  uint64_t time_ = 0;

private:
  warpo_block_kind kind_;
  StreamIndex stream_ = 0;
  uint64_t wentBack_ = 0;
  std::unordered_map<StreamIndex, uint64_t> lastTimes_;
};

template <typename Entry> std::unique_ptr<SideDecoder> makeSideDecoder(DeclarationReader &record);
/// Writes blocks with `entries`, of which there is one or more.
template <typename Entry>
void writeSideBlocks(WarpoWriter &writer, StreamIndex stream, llvm::ArrayRef<Entry> entries);

#define WARPO_KIND(Entry, ...)                                                                     \
  template <> std::unique_ptr<SideDecoder> makeSideDecoder<Entry>(DeclarationReader &);            \
  template <> void writeSideBlocks(WarpoWriter &, StreamIndex, llvm::ArrayRef<Entry>);
WARPO_SIDE_KINDS(WARPO_KIND)
#undef WARPO_KIND

} // namespace warpo

#endif
