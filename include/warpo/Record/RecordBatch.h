//===- RecordBatch.h - Entries of a record, as recorded -------------------===//
//
// What flows from a record reader to the slicer: a few thousand entries of one stream at a time, in
// columns. One virtual call a batch is what makes an open set of formats affordable at a few
// nanoseconds an entry.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_RECORD_RECORDBATCH_H
#define WARPO_RECORD_RECORDBATCH_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <string>
#include <vector>

namespace warpo {

/// A stream is a sequence of entries in time order: a module instance on a thread. Streams are
/// numbered from 0 in the order in which a reader meets them.
using StreamIndex = uint32_t;

struct StreamInfo {
  uint64_t moduleId = 0;
  /// What to call the stream; empty where the record does not say.
  std::string name;
  /// The operating system's number of the thread; 0 where the record does not say.
  uint64_t thread = 0;
  /// Its calls are those of the host, which show what it did for the program: no functions of a
  /// module.
  bool isHost = false;
  /// What decided when its samples were due, if it has any: so much fuel each, or so many
  /// nanoseconds. Values are those of the format `warpo`.
  enum class SampledBy : uint8_t { unknown, fuel, time };
  SampledBy sampledBy = SampledBy::unknown;
  uint64_t sampleInterval = 0;
};

/// A stack that was seen at a moment, and what had been spent since the sample before of its stream
/// (the first: since the stream began).
struct StackSample {
  /// A count of the record's clock.
  uint64_t time = 0;
  uint64_t timeSince = 0;
  uint64_t fuelSince = 0;
  /// An index into RecordHeader::stacks.
  uint32_t stack = 0;
};

/// What a reader found wrong at a place, or was told is missing there.
enum class NoteKind : uint8_t {
  /// Events were lost when recording; `count` of them, 0 if nobody knows.
  lost,
  /// The input ends within an entry; `count` bytes are left over.
  truncatedEntry,
  /// An id that means nothing (0, -2^31): the entry is left out.
  invalidId,
  /// The clock of the stream went back by `count` counts: the entry is given the last known time.
  timeWentBack,
  /// The stream's fuel went back by `count`: the entry is given the last known fuel.
  fuelWentBack,
  /// `count` bytes that make no sense were skipped.
  skippedBytes,
  /// The record was not closed: what its process still held is missing.
  notClosed,
  /// The record's index does not fit it: a window of it was found by reading all.
  unusableIndex,
};

/// Why events were lost, where the record says.
enum class LossCause : uint8_t { unknown, bufferFull, limit, writeFailed, processEnded };

struct RecordNote {
  /// The note belongs before the entry of this index in the batch; the size of the batch: after the
  /// last.
  uint32_t position;
  NoteKind kind;
  uint64_t count;
  /// Where in the input, for messages: `trace.bin:0x40`, `trace.yaml:12`.
  std::string place;
  /// Of a loss.
  LossCause cause = LossCause::unknown;
};

/// A note as a count of something, for DamageReport.
struct NoteWords {
  uint64_t count;
  llvm::StringRef singular;
  llvm::StringRef plural;
};
NoteWords wordsOf(const RecordNote &note);
/// `3 events that were lost when recording`: the words that all tools use, without the place.
std::string describe(const RecordNote &note);

/// Takes from the front of `ranges`, which are in order of position, those at or before `position`:
/// for notes among entries, lost ranges among events.
template <typename T> llvm::ArrayRef<T> takeUpTo(llvm::ArrayRef<T> &ranges, size_t position) {
  llvm::ArrayRef<T> taken =
      ranges.take_while([&](const T &range) { return range.position <= position; });
  ranges = ranges.drop_front(taken.size());
  return taken;
}

/// Columns of equal length, owned by the reader and valid until its next batch.
struct RecordBatch {
  StreamIndex stream = 0;
  /// Full 64-bit counts of the record's clock, never decreasing within a stream.
  llvm::ArrayRef<uint64_t> times;
  /// n > 0 begins, n < 0 ends a call of function |n|; never 0 or -2^31.
  llvm::ArrayRef<int32_t> ids;
  /// In order of position; usually none.
  llvm::ArrayRef<RecordNote> notes;
  /// What the stream had burnt at each entry, never decreasing within a stream; empty where that
  /// was not recorded: it stays as it was.
  llvm::ArrayRef<uint64_t> fuel = {};
  /// In time order; they stand beside the entries, in no order with them.
  llvm::ArrayRef<StackSample> samples = {};

  size_t size() const { return ids.size(); }
};

/// Room for the columns of a batch: what a reader fills.
struct RecordColumns {
  static constexpr size_t capacity = 2048;

  std::vector<uint64_t> times;
  std::vector<int32_t> ids;
  std::vector<RecordNote> notes;
  /// Empty, or as long as the others.
  std::vector<uint64_t> fuel;
  std::vector<StackSample> samples;

  void clear() {
    times.clear();
    ids.clear();
    notes.clear();
    fuel.clear();
    samples.clear();
  }
  bool empty() const { return ids.empty() && notes.empty() && samples.empty(); }
  RecordBatch batch(StreamIndex stream) const { return {stream, times, ids, notes, fuel, samples}; }
};

} // namespace warpo

#endif
