//===- SymbolLine.cpp -----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Support/SymbolLine.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace warpo;

static std::string unescape(StringRef name) {
  std::string result;
  while (!name.empty()) {
    uint8_t code;
    if (name.front() == '\\' && name.size() > 2 && !name.substr(1, 2).getAsInteger(16, code)) {
      result.push_back(char(code));
      name = name.drop_front(3);
    } else {
      result.push_back(name.front());
      name = name.drop_front();
    }
  }
  return result;
}

std::optional<SymbolLine> warpo::parseSymbolLine(StringRef line) {
  StringRef digits = line.take_while(isDigit);
  StringRef name = line.drop_front(digits.size());
  uint32_t index;
  if (digits.getAsInteger(10, index) || !name.consume_front(":"))
    return std::nullopt;
  return SymbolLine{index, unescape(name)};
}
