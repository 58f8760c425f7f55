//===- HandOver.h - Where a recorder may have made the program wait -------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_RECORD_HANDOVER_H
#define WARPO_RECORD_HANDOVER_H

#include "warpo/Record/RecordBatch.h"

namespace warpo {

/// The entry of a batch whose time shows that the recorder handed over a block before it: behind
/// the first entry of the next block, the first one at which the clock has moved on, as a coarse
/// clock may stand still for many. 0 if there is none.
inline size_t handOverIn(const RecordBatch &batch) {
  if (!batch.beginsBlock)
    return 0;
  for (size_t i = 1; i < batch.size(); ++i)
    if (batch.times[i] != batch.times[i - 1])
      return i;
  return 0;
}

} // namespace warpo

#endif
