//===- FunctionTypes.h - Types of functions, for engines in this process --===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_ENGINE_FUNCTIONTYPES_H
#define WARPO_LIB_ENGINE_FUNCTIONTYPES_H

#include "warpo/Engine/Engine.h"

namespace warpo {

/// Converts an encoded type.
ValueType valueTypeOf(uint8_t encoded);

/// The type in the form of HostFunction::type, with `?` for anything but numbers.
std::string typeLetters(const wasm::FunctionType &type);
std::string typeLetters(const wasm::HostCallInfo &info);

} // namespace warpo

#endif
