//===- FoldedFrame.h - Names in collapsed stacks --------------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_OUTPUT_TEXT_FOLDEDFRAME_H
#define WARPO_OUTPUT_TEXT_FOLDEDFRAME_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace warpo {

/// `name` as a frame of a collapsed stack. The format has no escapes, and readers give special
/// meaning to various characters: these are replaced. Never empty.
std::string foldedFrame(llvm::StringRef name);

} // namespace warpo

#endif
