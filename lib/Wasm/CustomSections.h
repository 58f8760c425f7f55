//===- CustomSections.h - How each custom section is rewritten ------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_WASM_CUSTOMSECTIONS_H
#define WARPO_LIB_WASM_CUSTOMSECTIONS_H

#include "warpo/Wasm/ModuleEditor.h"

namespace warpo::wasm {

enum class CustomSectionFate {
  keep,        ///< copied unchanged
  rename,      ///< the name section: gets new indices
  moveHints,   ///< hints for instructions: get new functions and offsets
  addFeatures, ///< the features that the module uses: new ones are added
  drop,        ///< describes the old code
  refuse,      ///< the module cannot be rewritten without understanding it
};

CustomSectionFate customSectionFate(llvm::StringRef name, const CustomSectionPolicy &policy);

/// Whether the section has debug information with offsets into code.
bool isDebugSection(llvm::StringRef name);

} // namespace warpo::wasm

#endif
