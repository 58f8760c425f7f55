//===- NumberText.h - Numbers with a point or an exponent as text ---------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_SUPPORT_NUMBERTEXT_H
#define WARPO_SUPPORT_NUMBERTEXT_H

#include "llvm/ADT/StringRef.h"
#include <optional>

namespace warpo {

/// A number as JSON has them: `12`, `-1.5e3`; infinite if it is too large. Nothing for any other
/// text. Takes time by the length of the text, where StringRef::getAsDouble() takes its square.
std::optional<double> numberInText(llvm::StringRef text);

} // namespace warpo

#endif
