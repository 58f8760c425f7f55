//===- RecordWalk.h - Reads the rest of a record --------------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_RECORD_RECORDWALK_H
#define WARPO_RECORD_RECORDWALK_H

#include "warpo/Record/RecordFormat.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace warpo {

/// Calls `take` with each batch until it or the reader fails.
inline llvm::Error forEachBatch(RecordReader &reader,
                                llvm::function_ref<llvm::Error(const RecordBatch &)> take) {
  RecordBatch batch;
  while (true) {
    auto more = reader.next(batch);
    if (!more)
      return more.takeError();
    if (!*more)
      return llvm::Error::success();
    if (llvm::Error error = take(batch))
      return error;
  }
}

} // namespace warpo

#endif
