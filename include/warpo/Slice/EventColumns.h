//===- EventColumns.h - The events of a batch under construction ----------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_SLICE_EVENTCOLUMNS_H
#define WARPO_SLICE_EVENTCOLUMNS_H

#include "warpo/Slice/Event.h"
#include "llvm/Support/Compiler.h"
#include <algorithm>
#include <vector>

namespace warpo {

/// What an EventBuilder, or a step on the way to an output, makes: events, the lost ranges between
/// them, and the columns of both. The room that a batch needed is kept for the next.
class EventColumns {
public:
  size_t size() const { return size_; }
  const ColumnSet &columns() const { return columns_; }
  llvm::ArrayRef<Event> events() const { return {events_.data(), size_}; }

  /// Begins a batch that has these columns.
  void start(const ColumnSet &columns) {
    clear();
    columns_ = columns;
    makeRoom(0);
  }
  /// The batch has this column, too; `first` is what it stood at up to now.
  void keep(ColumnIndex column, uint64_t first) {
    if (columns_.insert(column))
      counts_[column].assign(events_.size(), first);
  }

  /// Of `counts`, those of the batch's columns are taken.
  void append(const Event &event, const Counts &counts) {
    if (LLVM_UNLIKELY(size_ == events_.size()))
      makeRoom(1);
    events_[size_] = event;
    for (ColumnIndex column : columns_)
      counts_[column][size_] = counts[column];
    ++size_;
  }
  /// The range comes behind the events that are there.
  void append(const LostRange &range) {
    lost_.push_back(range);
    lost_.back().position = uint32_t(size_);
  }

  /// For loops that write events themselves: makes room for so many, behind those that are there.
  void makeRoom(size_t events) {
    if (events_.size() < size_ + events)
      events_.resize(size_ + events);
    for (ColumnIndex column : columns_)
      if (counts_[column].size() < events_.size())
        counts_[column].resize(events_.size());
  }
  Event *nextEvent() { return events_.data() + size_; }
  uint64_t *nextCount(ColumnIndex column) { return counts_[column].data() + size_; }
  /// So many have been written there, and to all columns.
  void wrote(size_t events) { size_ += events; }

  /// Valid until the next change.
  EventBatch batch(StreamIndex stream) const {
    EventBatch batch{stream, events(), lost_};
    if (!columns_.empty())
      for (ColumnIndex column = 0; column < maxColumns; ++column)
        if (columns_.contains(column))
          batch.counts.add(column, {counts_[column].data(), size_});
    return batch;
  }
  /// The columns stay.
  void clear() {
    size_ = 0;
    lost_.clear();
  }

private:
  /// The first size_ are the events; the rest is room.
  std::vector<Event> events_;
  size_t size_ = 0;
  std::vector<LostRange> lost_;
  ColumnSet columns_;
  /// Of those in columns_, with the same room.
  std::array<std::vector<uint64_t>, maxColumns> counts_;
};

} // namespace warpo

#endif
