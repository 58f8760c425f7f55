//===- TranslatorLimits.h - Modules that wasm2c cannot translate ----------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_ENGINE_NATIVE_TRANSLATORLIMITS_H
#define WARPO_LIB_ENGINE_NATIVE_TRANSLATORLIMITS_H

#include "warpo/Wasm/Module.h"

namespace warpo {

/// Fails if a name of the module could inject C code: wasm2c copies names into comments without
/// escaping.
llvm::Error checkNamesInComments(const wasm::Module &module);

/// Fails if the module has more globals than wasm2c translates in a minute: its time grows
/// quadratically.
llvm::Error checkGlobals(const wasm::Module &module);

/// Advice for a module that wasm2c has refused, often without an explanation: names the unsupported
/// feature that the module uses, as the end of a message.
std::string adviseAfterRefusal(const wasm::Module &module);

} // namespace warpo

#endif
