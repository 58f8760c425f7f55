//===- StackText.h - A stack in one line ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_OUTPUT_STACKTEXT_H
#define WARPO_OUTPUT_STACKTEXT_H

#include "warpo/Record/FunctionTable.h"
#include <string>
#include <vector>

namespace warpo {

/// `f < g < main`: the innermost six functions of a stack. `stack` is an index into
/// FunctionTable::stacks(); 0 gives `(unknown stack)`.
std::string stackText(const FunctionTable &functions, uint32_t stack);

/// What the text shows.
struct ShownStack {
  /// The innermost function first. None if the stack is unknown.
  std::vector<FunctionIndex> frames;
  bool hasMore = false;
};
ShownStack shownStack(const FunctionTable &functions, uint32_t stack);

} // namespace warpo

#endif
