//===- OverlapFinder.h - Finds overlapping calls of several modules -------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_SLICE_OVERLAPFINDER_H
#define WARPO_SLICE_OVERLAPFINDER_H

#include "warpo/Record/RecordFormat.h"
#include "warpo/Slice/Event.h"
#include <map>
#include <optional>
#include <vector>

namespace warpo {

/// Finds two streams with separate stacks whose calls from the host overlap in time although they
/// may have run on one thread: then one of the modules most likely called the other.
///
/// Streams alternate in a record, each ahead of the others for a while. So the last calls are kept;
/// overlaps of calls further apart in the record are not found. For a thread with one stream, only
/// the first events are examined until there is another stream.
class OverlapFinder {
public:
  /// `header` is that of the events' reader.
  explicit OverlapFinder(const RecordHeader &header) : header_(header) {}

  /// Adds the next events of a stream, after which `depth` of its calls are open.
  void add(StreamIndex stream, llvm::ArrayRef<Event> events, size_t depth) {
    if (!overlap_ && !events.empty())
      watch(stream, events, depth);
  }
  /// Call after the last event; `readWhole` is false if reading stopped before the record's end.
  void finish(bool readWhole);

  struct Overlap {
    StreamIndex first, second;
  };
  /// The first overlap found; after finish().
  std::optional<Overlap> overlap() const { return overlap_; }

private:
  static constexpr size_t maxKept = 4096;
  static constexpr size_t maxEventsAlone = size_t(1) << 16;

  struct Call {
    uint64_t begin;
    uint64_t end;
    StreamIndex stream;
  };
  /// Streams of one record with the same thread number, or without a number.
  struct Thread {
    size_t streams = 0;
    /// While only one stream has calls: its last calls, beginning at `oldest` if there are maxKept.
    std::vector<Call> recent;
    size_t oldest = 0;
    /// Calls of several streams, by begin; disjoint, as the first overlap ends the search.
    std::map<uint64_t, Call> calls;
  };
  struct Stream {
    /// Null for a stream whose calls may overlap with others.
    Thread *thread = nullptr;
    /// If false, events were skipped, and `begin` is unknown.
    bool isWatched = true;
    size_t depth = 0;
    /// Begin of the open outermost call.
    uint64_t begin = 0;
    uint64_t lastTime = 0;
    size_t events = 0;
  };

  void adoptStreams();
  void watch(StreamIndex index, llvm::ArrayRef<Event> events, size_t depth);
  void add(Thread &thread, const Call &call);
  void compare(Thread &thread, const Call &call);

  const RecordHeader &header_;
  std::vector<Stream> streams_;
  /// By record and number.
  std::map<std::pair<uint32_t, uint64_t>, Thread> threads_;
  uint64_t lastTime_ = 0;
  std::optional<Overlap> overlap_;
};

} // namespace warpo

#endif
