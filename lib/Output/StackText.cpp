//===- StackText.cpp ------------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Output/StackText.h"
#include "warpo/Support/DisplayName.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace warpo;

static constexpr size_t shownFrames = 6;

ShownStack warpo::shownStack(const FunctionTable &functions, uint32_t stack) {
  ShownStack shown;
  for (; stack != 0; stack = functions.stacks()[stack].parent)
    for (FunctionIndex function : reverse(functions.framesOf(stack))) {
      if (shown.frames.size() == shownFrames) {
        shown.hasMore = true;
        return shown;
      }
      shown.frames.push_back(function);
    }
  return shown;
}

std::string warpo::stackText(const FunctionTable &functions, uint32_t stack) {
  ShownStack shown = shownStack(functions, stack);
  if (shown.frames.empty())
    return "(unknown stack)";
  std::string text;
  for (FunctionIndex function : shown.frames)
    text += (text.empty() ? "" : " < ") + displayName(functions[function].name);
  return shown.hasMore ? text + " < ..." : text;
}
