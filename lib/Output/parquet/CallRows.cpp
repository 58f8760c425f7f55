//===- CallRows.cpp -------------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "CallRows.h"

using namespace llvm;
using namespace warpo;

std::vector<size_t>
CallRows::takeEnded(function_ref<void(const CallRow &, const CallCounts *)> take) {
  std::vector<size_t> places(rows_.size());
  size_t kept = 0;
  for (size_t i = 0; i < rows_.size(); ++i) {
    if (rows_[i].duration != CallRow::isOpen) {
      take(rows_[i], hasCounts_ ? &counts_[i] : nullptr);
      continue;
    }
    places[i] = kept;
    rows_[kept] = rows_[i];
    if (hasCounts_)
      counts_[kept] = counts_[i];
    ++kept;
  }
  rows_.resize(kept);
  if (hasCounts_)
    counts_.resize(kept);
  return places;
}
