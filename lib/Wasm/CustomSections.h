//===- CustomSections.h - What becomes of each custom section -------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_WASM_CUSTOMSECTIONS_H
#define WARPO_LIB_WASM_CUSTOMSECTIONS_H

#include "warpo/Wasm/ModuleEditor.h"

namespace warpo::wasm {

enum class CustomSectionFate {
  keep,        ///< byte for byte, in place
  rename,      ///< the name section: its indices follow
  moveHints,   ///< hints for instructions: functions and offsets follow
  addFeatures, ///< the features that the module uses
  drop,        ///< it would not be true of the new code
  refuse,      ///< the module cannot be rewritten without understanding it
};

CustomSectionFate customSectionFate(llvm::StringRef name, const CustomSectionPolicy &policy);

/// Whether the section holds debug information that speaks of offsets into code.
bool isDebugSection(llvm::StringRef name);

} // namespace warpo::wasm

#endif
