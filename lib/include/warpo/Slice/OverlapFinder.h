//===- OverlapFinder.h - Do calls of several modules overlap in time? -----===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_SLICE_OVERLAPFINDER_H
#define WARPO_SLICE_OVERLAPFINDER_H

#include "warpo/Record/RecordFormat.h"
#include "warpo/Slice/Event.h"
#include <map>
#include <optional>
#include <vector>

namespace warpo {

/// Finds two streams with stacks of their own whose calls from the host overlap in time though they
/// may have run on one thread: then one has most likely called the other.
///
/// Modules are recorded by turns, each ahead of the others for a while. So the last calls are kept,
/// and an overlap of calls that lie further apart in the record is not found. Of a thread with one
/// stream, only the first events are looked at until there is another one.
class OverlapFinder {
public:
  /// `header` is that of the reader whose events these are.
  explicit OverlapFinder(const RecordHeader &header) : header_(header) {}

  /// The next events of a stream, after which `depth` calls are open there.
  void add(StreamIndex stream, llvm::ArrayRef<Event> events, size_t depth) {
    if (!overlap_ && !events.empty())
      watch(stream, events, depth);
  }
  /// There are no more events, as the record has none, or as none were asked for.
  void finish(bool readWhole);

  struct Overlap {
    StreamIndex first, second;
  };
  /// The first that was found; after finish().
  std::optional<Overlap> overlap() const { return overlap_; }

private:
  static constexpr size_t maxKept = 4096;
  static constexpr size_t maxEventsAlone = size_t(1) << 16;

  struct Call {
    uint64_t begin;
    uint64_t end;
    StreamIndex stream;
  };
  /// What may be one thread: streams of one record that give one number for it, or none.
  struct Thread {
    size_t streams = 0;
    /// As long as there are calls of one: the last of them, from `oldest` on if there are maxKept.
    std::vector<Call> recent;
    size_t oldest = 0;
    /// Of several streams, by begin; disjoint, since the first overlap ends the search.
    std::map<uint64_t, Call> calls;
  };
  struct Stream {
    /// Nothing for a stream whose calls overlap rightly.
    Thread *thread = nullptr;
    /// Otherwise events have been passed over, and `begin` is not known.
    bool isWatched = true;
    size_t depth = 0;
    /// Of the outermost call that is open.
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
