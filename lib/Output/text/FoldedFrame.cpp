//===- FoldedFrame.cpp ----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "FoldedFrame.h"
#include "warpo/Output/ProfileBackend.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace warpo;

// `op 2` at the end of a stack looks like a stack with two weights, which some readers draw as a
// difference. So it becomes `op #2`.
static void markLastNumber(std::string &name) {
  size_t space = name.find_last_of(' ');
  if (space == std::string::npos)
    return;
  StringRef last = StringRef(name).drop_front(space + 1);
  if (isDigit(last[0]) && last.find_first_not_of("0123456789.") == StringRef::npos)
    name.insert(space + 1, 1, '#');
}

std::string warpo::foldedFrame(StringRef name) {
  std::string result = displayName(name);
  std::replace(result.begin(), result.end(), ';', ':');
  // One reader treats a line that begins with it as a comment.
  if (result[0] == '#')
    result.insert(size_t(0), 1, '_');
  markLastNumber(result);
  return result;
}
