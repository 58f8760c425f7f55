//===- AnnouncedCounts.cpp ------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "AnnouncedCounts.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace warpo;

void AnnouncedCounts::add(uint64_t stream, uint64_t base, ColumnIndex column, ByteCursor &cursor) {
  begin(stream, base);
  columns_[column] = {cursor.bytes(cursor.remaining()).vec()};
}

// If a block begins again, because later ones were read ahead, its numbers start again, too.
void AnnouncedCounts::begin(uint64_t stream, uint64_t base) {
  if (stream != stream_ || base != base_)
    clear();
  stream_ = stream;
  base_ = base;
  for (auto &[_, column] : columns_)
    column.at = 0;
}

bool AnnouncedCounts::take(Counts &counts) {
  for (auto &[index, column] : columns_) {
    ByteCursor cursor(ArrayRef<uint8_t>(column.numbers).drop_front(column.at));
    counts[index] = cursor.uleb64();
    if (!cursor.ok())
      return false;
    column.at = column.numbers.size() - cursor.remaining();
  }
  return true;
}

bool AnnouncedCounts::atEnd() const {
  return all_of(columns_,
                [](const auto &entry) { return entry.second.at == entry.second.numbers.size(); });
}
