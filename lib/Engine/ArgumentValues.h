//===- ArgumentValues.h - Arguments of --invoke, from text to bits --------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_ENGINE_ARGUMENTVALUES_H
#define WARPO_LIB_ENGINE_ARGUMENTVALUES_H

#include "warpo/Engine/Engine.h"

namespace warpo {

/// Parses the arguments of `function` to bits: integers are decimal or `0x`, signed or unsigned;
/// floats are decimal, `inf` or `nan`, within the range of their type. An error names the argument
/// that does not fit.
llvm::Expected<std::vector<uint64_t>> parseArguments(llvm::StringRef function,
                                                     llvm::ArrayRef<ValueType> parameters,
                                                     llvm::ArrayRef<std::string> texts);

} // namespace warpo

#endif
