//===- CustomSections.h - What becomes of each custom section -------------===//

#ifndef WARPO_LIB_WASM_CUSTOMSECTIONS_H
#define WARPO_LIB_WASM_CUSTOMSECTIONS_H

#include "llvm/ADT/StringRef.h"

namespace warpo::wasm {

enum class CustomSectionFate {
  keep,      ///< byte for byte, in place
  rename,    ///< the name section: its indices follow
  moveHints, ///< hints for instructions: functions and offsets follow
  drop,      ///< it would not be true of the new code
  refuse,    ///< the module cannot be rewritten without understanding it
};

CustomSectionFate customSectionFate(llvm::StringRef name);

} // namespace warpo::wasm

#endif
