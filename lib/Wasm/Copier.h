//===- Copier.h - Copies what a cursor passes, but for a few numbers ------===//

#ifndef WARPO_LIB_WASM_COPIER_H
#define WARPO_LIB_WASM_COPIER_H

#include "ByteWriter.h"
#include "warpo/Support/ByteCursor.h"

namespace warpo::wasm {

/// Bytes between two changes are copied in one run. Where the cursor fails, what has been copied is
/// of no use, but no harm is done.
class Copier {
public:
  Copier(ByteCursor &cursor, ByteWriter &writer)
      : cursor_(cursor), writer_(writer), run_(cursor.position()) {}

  /// Copies what has not been copied yet and lies before `place`.
  void copyUpTo(const uint8_t *place) {
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
  const uint8_t *run_;
};

} // namespace warpo::wasm

#endif
