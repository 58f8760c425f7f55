//===- StackText.cpp ------------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Output/StackText.h"
#include "warpo/Support/DisplayName.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace warpo;

static constexpr size_t shownFrames = 6;

std::string warpo::stackText(const FunctionTable &functions, uint32_t stack) {
  if (stack == 0)
    return "(unknown stack)";
  std::string text;
  size_t frames = 0;
  for (; stack != 0; stack = functions.stacks()[stack].parent)
    for (FunctionIndex function : reverse(functions.framesOf(stack))) {
      if (frames == shownFrames)
        return text + " < ...";
      text += (frames++ > 0 ? " < " : "") + displayName(functions[function].name);
    }
  return text;
}
