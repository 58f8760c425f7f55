//===- NumberText.h - Parses floating-point numbers -----------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_SUPPORT_NUMBERTEXT_H
#define WARPO_SUPPORT_NUMBERTEXT_H

#include "llvm/ADT/StringRef.h"
#include <optional>

namespace warpo {

/// Parses a number in JSON's syntax: `12`, `-1.5e3`; infinite if too large. Nothing for any other
/// text. Takes linear time; StringRef::getAsDouble() takes quadratic time.
std::optional<double> numberInText(llvm::StringRef text);

} // namespace warpo

#endif
