//===- JsonInput.h - Reads untrusted JSON ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_SUPPORT_JSONINPUT_H
#define WARPO_SUPPORT_JSONINPUT_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"

namespace warpo {

/// Parses a whole document. LLVM's parser recurses for each bracket; here, nesting deeper than 100,
/// which no valid input has, is an error. Errors begin with `file`.
llvm::Expected<llvm::json::Value> parseJson(llvm::StringRef text, llvm::StringRef file);

} // namespace warpo

#endif
