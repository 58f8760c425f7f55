//===- Names.cpp ----------------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "Names.h"
#include "llvm/ADT/Twine.h"

using namespace llvm;
using namespace warpo;

std::string UniqueNames::take(StringRef name, StringRef separator, unsigned first) {
  std::string unique = name.str();
  if (taken_.insert(unique).second)
    return unique;
  std::string numbered = (name + separator).str();
  unsigned &next = next_.try_emplace(numbered, first).first->second;
  do
    unique = numbered + std::to_string(next++);
  while (!taken_.insert(unique).second);
  return unique;
}
