//===- TranslatorLimits.h - What wasm2c cannot do with a module -----------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_ENGINE_NATIVE_TRANSLATORLIMITS_H
#define WARPO_LIB_ENGINE_NATIVE_TRANSLATORLIMITS_H

#include "warpo/Wasm/Module.h"

namespace warpo {

/// An error if C of this module could say what the module wants instead of being its translation:
/// wasm2c copies names into comments as they are.
llvm::Error checkNamesInComments(const wasm::Module &module);

/// An error if the module has more globals than wasm2c translates in a minute: its time grows with
/// their square.
llvm::Error checkGlobals(const wasm::Module &module);

/// For a module that wasm2c has refused, in words that often are none: what it uses that wasm2c
/// does not know, as the end of a message that says what to do.
std::string adviseAfterRefusal(const wasm::Module &module);

} // namespace warpo

#endif
