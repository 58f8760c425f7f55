//===- OneStack.h - The entries of a thread's streams in the order of time ===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_RECORD_ONESTACK_H
#define WARPO_RECORD_ONESTACK_H

#include "warpo/Record/RecordFormat.h"

namespace warpo {

/// Hands on the entries of another reader in the order of time over all its streams, and lets those
/// of one thread share a stack (RecordHeader::stackOf): for a record whose modules called one
/// another. Each batch is still of one stream.
///
/// Streams are of one thread if the record gives them the same number, none included; the host's
/// have a stack of their own. Entries with equal times keep the record's order if the whole record
/// is in the order of time and its calls nest. Otherwise the call that ends later is taken to have
/// begun first.
///
/// A stream may turn up anywhere in a record, so all of it is read before the first entry is handed
/// on; entries wait in memory up to a limit, then in a temporary file. Samples and what is said of
/// damage are handed on at once. Fails for streams of a thread in a record without time: each
/// counts its own.
class OneStack : public RecordFilter {
public:
  /// `name`: what to call the record in messages. Without `sharesStacks` each stream keeps its own,
  /// and only the order of time is made.
  OneStack(std::unique_ptr<RecordReader> reader, std::string name, bool sharesStacks = true);
  ~OneStack() override;

  llvm::Expected<bool> next(RecordBatch &batch) override;
  /// An entry is found by its module and its time: nothing else is kept of where it stood.
  std::string placeOf(size_t index) const override;
  /// Half of them stand for the second time that the entries are looked at.
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
