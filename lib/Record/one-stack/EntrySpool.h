//===- EntrySpool.h - The entries of a record, each stream for itself -----===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_RECORD_ONE_STACK_ENTRYSPOOL_H
#define WARPO_LIB_RECORD_ONE_STACK_ENTRYSPOOL_H

#include "OpenCalls.h"
#include "warpo/Record/RecordBatch.h"
#include "warpo/Support/SectionId.h"
#include "warpo/Support/StreamSpool.h"

namespace warpo {

/// An entry that waits, or a loss.
struct KeptEntry {
  static constexpr uint64_t never = UINT64_MAX;

  uint64_t time;
  /// When the call that begins here ends by its stream's own entries; never: it does not. Of a
  /// loss, how many entries.
  uint64_t end;
  /// Entries of the record are numbered in its order.
  uint64_t number;
  /// 0: a loss, before the next entry of its stream, whose time it has.
  int32_t id;
  /// Of a loss.
  uint32_t place;

  bool begins() const { return id > 0 && !isTrap(); }
  /// Says how the call of the stream's next entry ended.
  bool isTrap() const { return id == trapId; }
  bool isLoss() const { return id == 0; }
};

/// Takes a record's batches, and gives them back stream by stream.
class EntrySpool {
public:
  /// `stack`: the stream that stands for the stack which the batch's calls are on.
  llvm::Error append(const RecordBatch &batch, StreamIndex stack);
  /// There are no more batches.
  llvm::Error finish();

  size_t streamCount() const { return streams_.size(); }
  /// Of a stream.
  uint64_t sizeOf(StreamIndex stream) const { return streams_[stream].size; }
  const ColumnSet &columnsOf(StreamIndex stream) const { return streams_[stream].columns; }
  /// Reads entries of a stream from number `from` on, as many as there are at once; at least one.
  llvm::Expected<size_t> readAt(StreamIndex stream, uint64_t from,
                                llvm::MutableArrayRef<KeptEntry> entries) const {
    return spool_.readAt(stream, from, entries);
  }
  /// Reads all of `counts`, which a column of the stream has for its entries from number `from` on.
  llvm::Error readCounts(StreamIndex stream, ColumnIndex column, uint64_t from,
                         llvm::MutableArrayRef<uint64_t> counts) const;
  /// Of all streams.
  uint64_t size() const { return size_; }
  /// Whether the record has its entries in the order of time, and calls of its streams nest in that
  /// order. Where modules are recorded by turns, each ahead of the others for a while, neither
  /// holds.
  bool isInOrder() const { return isInOrder_; }
  RecordNote lossOf(const KeptEntry &entry, uint32_t position) const {
    const LossPlace &place = places_[entry.place];
    return {position, NoteKind::lost, entry.end, place.place, place.cause};
  }

private:
  struct OpenCall {
    int32_t id;
    /// Of the stream's entries, the one that began it.
    uint64_t entry;
  };
  struct Stream {
    uint64_t size = 0;
    ColumnSet columns;
    /// The counts of its last entry.
    Counts counts = {};
    OpenCalls<OpenCall> open;
    /// Those since its last entry.
    std::vector<KeptEntry> losses;
    /// The last entry was a trap.
    bool isTrapped = false;
  };
  struct StackCall {
    StreamIndex stream;
    int32_t id;
  };
  void checkOrder(const RecordBatch &batch, Stream &stream, StreamIndex stack);
  struct LossPlace {
    std::string place;
    LossCause cause;
  };
  llvm::Error addColumns(StreamIndex index, const CountColumns &columns);
  void add(const Stream &stream, const KeptEntry &entry, const Counts &counts);
  void addLoss(Stream &stream, const RecordNote &note);
  void keepLosses(Stream &stream, uint64_t time);
  llvm::Error closeCalls(StreamIndex index, const KeptEntry &end);
  llvm::Error write(StreamIndex index);

  StreamSpool<KeptEntry> spool_;
  /// By column, a number for each entry of the streams that have it.
  std::array<StreamSpool<uint64_t>, maxColumns> counts_;
  std::vector<Stream> streams_;
  /// What is to be written of the present batch.
  std::vector<KeptEntry> pending_;
  std::array<std::vector<uint64_t>, maxColumns> pendingCounts_;
  /// Where losses were found, and why. Many lie at the same place.
  std::vector<LossPlace> places_;
  uint64_t number_ = 0;
  uint64_t size_ = 0;
  uint64_t lastTime_ = 0;
  /// By the stream that stands for it, as long as isInOrder_ holds.
  std::vector<OpenCalls<StackCall>> stacks_;
  bool isInOrder_ = true;
};

} // namespace warpo

#endif
