//===- EntrySpool.cpp -----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "EntrySpool.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <cstddef>
#include <utility>

using namespace llvm;
using namespace warpo;

// Losses of a cause with no entry between are one, so that what waits is bounded.
void EntrySpool::addLoss(Stream &stream, const RecordNote &note) {
  bool isKnown = note.count > 0;
  auto known = find_if(stream.losses, [&](const KeptEntry &loss) {
    return places_[loss.place].cause == note.cause && (loss.end > 0) == isKnown;
  });
  if (known != stream.losses.end()) {
    known->end = SaturatingAdd(known->end, note.count);
    return;
  }
  if (places_.empty() || places_.back().place != note.place || places_.back().cause != note.cause)
    places_.push_back({note.place, note.cause});
  stream.losses.push_back({.time = 0,
                           .end = note.count,
                           .number = number_++,
                           .id = 0,
                           .place = uint32_t(places_.size() - 1)});
}

void EntrySpool::keepLosses(Stream &stream, uint64_t time) {
  for (KeptEntry &loss : stream.losses) {
    loss.time = time;
    add(stream, loss, noCounts);
  }
  stream.losses.clear();
}

Error EntrySpool::closeCalls(StreamIndex index, const KeptEntry &end) {
  Stream &stream = streams_[index];
  Error failure = Error::success();
  stream.open.end([&](const OpenCall &call) { return call.id == -end.id; },
                  [&](const OpenCall &call) {
                    if (call.entry >= stream.size)
                      pending_[call.entry - stream.size].end = end.time;
                    else if (!failure)
                      failure =
                          spool_.replace(index, call.entry, offsetof(KeptEntry, end), end.time);
                  });
  return failure;
}

Error EntrySpool::write(StreamIndex index) {
  if (Error error = spool_.append(index, pending_))
    return error;
  streams_[index].size += pending_.size();
  size_ += pending_.size();
  pending_.clear();
  for (ColumnIndex column : streams_[index].columns) {
    if (Error error = counts_[column].append(index, pendingCounts_[column]))
      return error;
    pendingCounts_[column].clear();
  }
  return Error::success();
}

void EntrySpool::add(const Stream &stream, const KeptEntry &entry, const Counts &counts) {
  pending_.push_back(entry);
  for (ColumnIndex column : stream.columns)
    pendingCounts_[column].push_back(counts[column]);
}

// Of a column that comes later nothing is known before: no call spent what it begins with.
Error EntrySpool::addColumns(StreamIndex index, const CountColumns &columns) {
  Stream &stream = streams_[index];
  for (const CountColumns::Column &column : columns) {
    if (!stream.columns.insert(column.index))
      continue;
    const std::vector<uint64_t> first(size_t(std::min<uint64_t>(stream.size, 1024)),
                                      column.values[0]);
    for (uint64_t missing = stream.size; missing > 0;) {
      ArrayRef<uint64_t> some = ArrayRef(first).take_front(size_t(missing));
      if (Error error = counts_[column.index].append(index, some))
        return error;
      missing -= some.size();
    }
  }
  return Error::success();
}

Error EntrySpool::readCounts(StreamIndex stream, ColumnIndex column, uint64_t from,
                             MutableArrayRef<uint64_t> counts) const {
  while (!counts.empty()) {
    auto size = counts_[column].readAt(stream, from, counts);
    if (!size)
      return size.takeError();
    from += *size;
    counts = counts.drop_front(*size);
  }
  return Error::success();
}

void EntrySpool::checkOrder(const RecordBatch &batch, Stream &stream, StreamIndex stack) {
  if (!isInOrder_ || batch.times.empty())
    return;
  isInOrder_ = batch.times.front() >= lastTime_;
  lastTime_ = batch.times.back();
  if (stack >= stacks_.size())
    stacks_.resize(stack + 1);
  OpenCalls<StackCall> &calls = stacks_[stack];
  for (int32_t id : batch.ids) {
    bool isTrapped = std::exchange(stream.isTrapped, id == trapId);
    if (id == trapId)
      continue;
    if (id > 0)
      calls.begin({batch.stream, id});
    else
      calls.end(
          [&](const StackCall &call) { return call.stream == batch.stream && call.id == -id; },
          // A call that ends with one around it, by an exception, is most often of its module; a
          // trap takes calls of any.
          [&](const StackCall &call) { isInOrder_ &= call.stream == batch.stream || isTrapped; });
  }
}

Error EntrySpool::append(const RecordBatch &batch, StreamIndex stack) {
  if (batch.stream >= streams_.size())
    streams_.resize(batch.stream + 1);
  Stream &stream = streams_[batch.stream];
  checkOrder(batch, stream, stack);
  if (Error error = addColumns(batch.stream, batch.counts))
    return error;
  ArrayRef<RecordNote> notes = batch.notes;
  auto addLosses = [&](size_t position) {
    for (const RecordNote &note : takeUpTo(notes, position))
      if (note.kind == NoteKind::lost)
        addLoss(stream, note);
  };
  for (size_t i = 0; i < batch.size(); ++i) {
    addLosses(i);
    keepLosses(stream, batch.times[i]);
    KeptEntry entry{.time = batch.times[i],
                    .end = KeptEntry::never,
                    .number = number_++,
                    .id = batch.ids[i],
                    .place = 0};
    if (entry.begins())
      stream.open.begin({entry.id, stream.size + pending_.size()});
    else if (!entry.isTrap())
      if (Error error = closeCalls(batch.stream, entry))
        return error;
    batch.counts.update(stream.counts, i);
    add(stream, entry, stream.counts);
  }
  addLosses(batch.size());
  return pending_.empty() ? Error::success() : write(batch.stream);
}

Error EntrySpool::finish() {
  for (StreamIndex index = 0; index < streams_.size(); ++index) {
    keepLosses(streams_[index], KeptEntry::never);
    if (!pending_.empty())
      if (Error error = write(index))
        return error;
  }
  return Error::success();
}
