//===- Copier.h - Copies what a cursor passes, but for a few numbers ------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_WASM_COPIER_H
#define WARPO_LIB_WASM_COPIER_H

#include "warpo/Support/ByteCursor.h"
#include "warpo/Support/ByteWriter.h"
#include "warpo/Support/Errors.h"
#include "warpo/Wasm/CodeMovements.h"
#include <vector>

namespace warpo::wasm {

/// Bytes between two changes are copied in one run. Where the cursor fails, what has been copied is
/// of no use, but no harm is done.
class Copier {
public:
  Copier(ByteCursor &cursor, ByteWriter &writer)
      : cursor_(cursor), writer_(writer), begin_(cursor.position()), run_(begin_) {}

  /// From now on, where runs go is added to `runs`.
  void recordRuns(std::vector<CopiedRun> *runs) { runs_ = runs; }

  /// Copies what has not been copied yet and lies before `place`.
  void copyUpTo(const uint8_t *place) {
    if (runs_)
      runs_->push_back({uint64_t(run_ - begin_), writer_.size()});
    writer_.bytes(run_, place);
    run_ = place;
  }
  /// Copies all that the cursor has passed.
  void copyPassed() { copyUpTo(cursor_.position()); }
  /// Leaves out what the cursor has passed since copyUpTo().
  void leaveOutPassed() { run_ = cursor_.position(); }
  /// Puts `number` in the place of the one from `begin` to `end`; the same number keeps its bytes.
  void replace(const uint8_t *begin, const uint8_t *end, uint32_t old, uint32_t number) {
    if (old == number)
      return;
    copyUpTo(begin);
    writer_.uleb(number);
    run_ = end;
  }

private:
  ByteCursor &cursor_;
  ByteWriter &writer_;
  const uint8_t *begin_;
  const uint8_t *run_;
  std::vector<CopiedRun> *runs_ = nullptr;
};

/// For a section whose last entry the cursor has passed: that was all of it.
inline void failAtRest(ByteCursor &cursor) {
  if (cursor.ok() && !cursor.atEnd())
    cursor.fail(countOf(cursor.remaining(), "byte") + " left over at the end of the section");
}

} // namespace warpo::wasm

#endif
