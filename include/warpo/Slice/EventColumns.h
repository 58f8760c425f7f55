//===- EventColumns.h - The events of a batch under construction ----------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_SLICE_EVENTCOLUMNS_H
#define WARPO_SLICE_EVENTCOLUMNS_H

#include "warpo/Slice/Event.h"
#include "llvm/Support/Compiler.h"
#include <algorithm>
#include <vector>

namespace warpo {

/// Events made by an EventBuilder or a later step, with the lost ranges between them and the
/// columns of both. Reuses its memory for the next batch.
class EventColumns {
public:
  size_t size() const { return size_; }
  const ColumnSet &columns() const { return columns_; }
  llvm::ArrayRef<Event> events() const { return {events_.data(), size_}; }

  /// Begins a batch with these columns.
  void start(const ColumnSet &columns) {
    clear();
    columns_ = columns;
    makeRoom(0);
  }
  /// Adds a column to the batch; `first` is its count up to now.
  void keep(ColumnIndex column, uint64_t first) {
    if (columns_.insert(column))
      counts_[column].assign(events_.size(), first);
  }

  /// Takes the batch's columns from `counts`.
  void append(const Event &event, const Counts &counts) {
    if (LLVM_UNLIKELY(size_ == events_.size()))
      makeRoom(1);
    events_[size_] = event;
    for (ColumnIndex column : columns_)
      counts_[column][size_] = counts[column];
    ++size_;
  }
  /// The range follows the events added so far.
  void append(const LostRange &range) {
    lost_.push_back(range);
    lost_.back().position = uint32_t(size_);
  }

  /// For loops that write events themselves: makes room for this many after those added so far.
  void makeRoom(size_t events) {
    if (events_.size() < size_ + events)
      events_.resize(size_ + events);
    for (ColumnIndex column : columns_)
      if (counts_[column].size() < events_.size())
        counts_[column].resize(events_.size());
  }
  Event *nextEvent() { return events_.data() + size_; }
  uint64_t *nextCount(ColumnIndex column) { return counts_[column].data() + size_; }
  /// This many have been written there, and to all columns.
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
  /// Keeps the columns.
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
  /// For the columns in columns_, with the same room.
  std::array<std::vector<uint64_t>, maxColumns> counts_;
};

} // namespace warpo

#endif
