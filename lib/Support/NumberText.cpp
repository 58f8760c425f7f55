//===- NumberText.cpp -----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Support/NumberText.h"
#include "llvm/ADT/StringExtras.h"
#include <cstdlib>
#include <string>

using namespace llvm;
using namespace warpo;

std::optional<double> warpo::numberInText(StringRef text) {
  // strtod() accepts more than JSON: leading blanks, `0x10`, `nan`.
  StringRef digits = text.starts_with("-") ? text.drop_front() : text;
  if (digits.empty() || !isDigit(digits.front()) ||
      text.find_first_not_of("0123456789+-.eE") != StringRef::npos)
    return std::nullopt;
  std::string copy = text.str();
  char *end = nullptr;
  double number = std::strtod(copy.c_str(), &end);
  return end == copy.c_str() + copy.size() ? std::optional(number) : std::nullopt;
}
