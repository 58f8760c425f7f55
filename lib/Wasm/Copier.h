//===- Copier.h - Copies bytes and replaces some numbers ------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_WASM_COPIER_H
#define WARPO_LIB_WASM_COPIER_H

#include "warpo/Support/ByteCursor.h"
#include "warpo/Support/ByteWriter.h"
#include "warpo/Support/Errors.h"
#include "warpo/Wasm/CodeMovements.h"
#include <vector>

namespace warpo::wasm {

/// Copies the bytes that a cursor passes. Bytes between two changes are copied in one run. If the
/// cursor fails, the copy is useless, but harmless.
class Copier {
public:
  Copier(ByteCursor &cursor, ByteWriter &writer)
      : cursor_(cursor), writer_(writer), begin_(cursor.position()), run_(begin_) {}

  /// From now on adds the places of copied runs to `runs`. New offsets count from `output` on.
  void recordRuns(std::vector<CopiedRun> *runs, size_t output) {
    runs_ = runs;
    output_ = output;
  }

  /// Copies the bytes before `place` that have not been copied yet.
  void copyUpTo(const uint8_t *place) {
    if (runs_)
      runs_->push_back({uint32_t(run_ - begin_), uint32_t(writer_.size() - output_)});
    writer_.bytes(run_, place);
    run_ = place;
  }
  /// Copies everything that the cursor has passed.
  void copyPassed() { copyUpTo(cursor_.position()); }
  /// Leaves out the bytes that the cursor has passed since copyUpTo().
  void leaveOutPassed() { run_ = cursor_.position(); }
  /// Replaces the encoded number `old`, from `begin` to `end`, by `number`. If they are equal, its
  /// bytes do not change.
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
  size_t output_ = 0;
};

/// To be called behind the last entry of a section: fails if bytes are left.
inline void failAtRest(ByteCursor &cursor) {
  if (cursor.ok() && !cursor.atEnd())
    cursor.fail(countOf(cursor.remaining(), "byte") + " left over at the end of the section");
}

} // namespace warpo::wasm

#endif
