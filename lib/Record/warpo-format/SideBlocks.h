//===- SideBlocks.h - Blocks of side entries ------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Each kind of side entry (WARPO_SIDE_KINDS) has its own blocks, which its file in kinds/ reads and
// writes.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_LIB_RECORD_WARPO_SIDEBLOCKS_H
#define WARPO_LIB_RECORD_WARPO_SIDEBLOCKS_H

#include "DeclarationReader.h"
#include "WarpoWriter.h"

namespace warpo {

/// Decodes the blocks of one kind (docs/record-format.md), batch by batch.
class SideDecoder {
public:
  /// `record` must outlive this.
  SideDecoder(DeclarationReader &record, warpo_block_kind kind) : record_(record), kind_(kind) {}
  virtual ~SideDecoder() = default;

  warpo_block_kind kind() const { return kind_; }
  /// Whether its blocks may be compressed: only worth it for frequent entries.
  virtual bool mayBeCompressed() const { return false; }

  /// Begins a block: reads its fields up to the first entry and calls start() there. False if they
  /// are invalid.
  virtual bool begin(ByteCursor &cursor) = 0;
  /// Appends entries to `columns` until these are full or the block ends. False if the rest of the
  /// block is invalid; appended entries are valid. `place` is the block's position, for notes.
  bool decode(RecordColumns &columns, const std::string &place) {
    bool isGood = decodeEntries(columns, place);
    lastTimes_[stream_] = time_;
    return isGood;
  }

  StreamIndex stream() const { return stream_; }
  /// The counts by which the block begins before the last entry of its stream.
  uint64_t wentBack() const { return wentBack_; }
  bool atEnd() const { return at_ == end_; }
  /// The first byte that has not been decoded.
  const uint8_t *position() const { return at_; }

protected:
  virtual bool decodeEntries(RecordColumns &columns, const std::string &place) = 0;

  /// The time of the last decoded entry of a stream.
  std::optional<uint64_t> lastTimeOf(StreamIndex stream) const {
    auto known = lastTimes_.find(stream);
    return known == lastTimes_.end() ? std::nullopt : std::optional(known->second);
  }
  /// Entries begin at `cursor`. Their times count from `base`, although the block's base is lower
  /// by `wentBack`.
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
  /// Time of the last entry.
  uint64_t time_ = 0;

private:
  warpo_block_kind kind_;
  StreamIndex stream_ = 0;
  uint64_t wentBack_ = 0;
  std::unordered_map<StreamIndex, uint64_t> lastTimes_;
};

template <typename Entry> std::unique_ptr<SideDecoder> makeSideDecoder(DeclarationReader &record);
/// Writes blocks with `entries`, at least one.
template <typename Entry>
void writeSideBlocks(WarpoWriter &writer, StreamIndex stream, llvm::ArrayRef<Entry> entries);

#define WARPO_KIND(Entry, ...)                                                                     \
  template <> std::unique_ptr<SideDecoder> makeSideDecoder<Entry>(DeclarationReader &);            \
  template <> void writeSideBlocks(WarpoWriter &, StreamIndex, llvm::ArrayRef<Entry>);
WARPO_SIDE_KINDS(WARPO_KIND)
#undef WARPO_KIND

} // namespace warpo

#endif
