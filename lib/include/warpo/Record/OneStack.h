//===- OneStack.h - The entries of a thread's streams in the order of time ===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_RECORD_ONESTACK_H
#define WARPO_RECORD_ONESTACK_H

#include "warpo/Record/RecordFormat.h"

namespace warpo {

/// Sorts the entries of another reader by time over all its streams, and makes the streams of a
/// thread share a stack (RecordHeader::stackOf): for records of modules that called one another.
/// Each batch is still of one stream.
///
/// Streams belong to one thread if they have the same thread number, or none. Entries with equal
/// times keep the record's order if the whole record is in order of time and its calls nest.
/// Otherwise the call that ends later is assumed to have begun first.
///
/// A stream may first occur anywhere in a record, so all of it is read before the first entry is
/// passed on; entries wait in memory up to a limit, then in a temporary file. Samples and notes of
/// damage are passed on at once. Fails if streams share a thread in a record without time: each has
/// its own clock.
class OneStack : public RecordFilter {
public:
  /// `name` is the record's name in messages. Without `sharesStacks`, entries are only sorted, and
  /// each stream keeps its stack.
  OneStack(std::unique_ptr<RecordReader> reader, std::string name, bool sharesStacks = true);
  ~OneStack() override;

  llvm::Expected<bool> next(RecordBatch &batch) override;
  /// Describes an entry by module and time: its position in the file is not kept.
  std::string placeOf(size_t index) const override;
  /// Counts every byte for both passes over the entries, half in each.
  uint64_t bytesRead() const override;

private:
  class Entries;

  llvm::Error keep(RecordBatch &batch);
  llvm::Expected<bool> handOn(RecordBatch &batch);

  std::string name_;
  std::unique_ptr<Entries> entries_;
  bool isRead_ = false;
  StreamIndex stream_ = 0;
  RecordColumns columns_;
};

} // namespace warpo

#endif
