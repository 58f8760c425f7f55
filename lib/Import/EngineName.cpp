//===- EngineName.cpp -----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "EngineName.h"
#include "warpo/Support/NumberedName.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace warpo;

static bool isIndex(StringRef text) {
  return !text.empty() && text.size() <= 10 && all_of(text, isDigit);
}

/// Removes `function[12]` from the front of the text, and returns its number.
static StringRef takeIndex(StringRef &text, StringRef before) {
  StringRef rest = text;
  if (!rest.consume_front(before))
    return {};
  auto [index, behind] = rest.split(']');
  if (!isIndex(index) || index.size() == rest.size())
    return {};
  text = behind;
  return index;
}

/// `parse` for `Function:parse-12-turbofan`; other texts unchanged.
static StringRef withoutTier(StringRef text) {
  auto [withIndex, tier] = text.rsplit('-');
  auto [name, index] = withIndex.rsplit('-');
  if ((tier != "liftoff" && tier != "turbofan") || !isIndex(index) || name.empty())
    return text;
  if (name.consume_front("Function:") || name.consume_front("JS:"))
    name = name.drop_while([](char c) { return StringRef("*+~^").contains(c); });
  return name;
}

EngineName::EngineName(StringRef text) {
  StringRef name = withoutTier(text);
  if (std::optional<NumberedName> number = NumberedName::parse(name)) {
    function_ = NumberedName{.index = number->index}.text();
    bodyHash_ = number->bodyHash;
    return;
  }
  StringRef rest = name;
  if (!takeIndex(rest, "wasm[").empty()) {
    StringRef module = name.drop_back(rest.size());
    if (StringRef index = takeIndex(rest, "::function["); !index.empty()) {
      if (rest.empty()) {
        module_ = module;
        function_ = ("func[" + index + "]").str();
        return;
      }
      if (rest.consume_front("::") && !rest.empty()) {
        module_ = module;
        name = rest;
      }
    }
  }
  function_ = name.str();
}
