//===- FunctionTypes.h - Types of functions, for engines in this process --===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_ENGINE_FUNCTIONTYPES_H
#define WARPO_LIB_ENGINE_FUNCTIONTYPES_H

#include "warpo/Engine/Engine.h"

namespace warpo {

/// Of a type as a module encodes it.
ValueType valueTypeOf(uint8_t encoded);

/// The type as HostFunction::type writes it, `?` for what is no number.
std::string typeLetters(const wasm::FunctionType &type);
std::string typeLetters(const wasm::HostCallInfo &info);

} // namespace warpo

#endif
