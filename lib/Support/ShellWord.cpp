//===- ShellWord.cpp ------------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Support/ShellWord.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace warpo;

std::string warpo::shellWord(StringRef word) {
  auto isPlain = [](char c) { return isAlnum(c) || StringRef("-_=+./,:@%").contains(c); };
  if (!word.empty() && all_of(word, isPlain))
    return word.str();
  std::string result = "'";
  for (char c : word)
    result += c == '\'' ? "'\\''" : std::string(1, c);
  return result + "'";
}
