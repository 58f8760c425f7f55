//===- NumberedName.cpp ---------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Support/NumberedName.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace warpo;

static constexpr size_t hashDigits = 16;

std::string NumberedName::text() const {
  std::string name = ("func[" + Twine(index) + "]").str();
  return bodyHash == 0 ? name : name + "#" + utohexstr(bodyHash, /*LowerCase=*/true, hashDigits);
}

std::optional<NumberedName> NumberedName::parse(StringRef name) {
  NumberedName result;
  if (!name.consume_front("func[") && !name.consume_front("wasm-function["))
    return std::nullopt;
  // consumeInteger() would accept a sign and leading zeros.
  bool hasZeros = name.size() > 1 && name[0] == '0' && isDigit(name[1]);
  if (name.empty() || !isDigit(name.front()) || hasZeros || name.consumeInteger(10, result.index) ||
      !name.consume_front("]"))
    return std::nullopt;
  if (name.consume_front("#") && (name.size() != hashDigits || !all_of(name, isHexDigit) ||
                                  name.consumeInteger(16, result.bodyHash)))
    return std::nullopt;
  return name.empty() ? std::optional(result) : std::nullopt;
}
