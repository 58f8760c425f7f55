//===- JsonInput.cpp ------------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Support/JsonInput.h"
#include "warpo/Support/Errors.h"

using namespace llvm;
using namespace warpo;

static constexpr unsigned deepest = 100;

static bool nestsDeeply(StringRef text) {
  unsigned depth = 0;
  bool inString = false;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (inString && c == '\\')
      ++i;
    else if (c == '"')
      inString = !inString;
    else if (!inString && (c == '[' || c == '{') && ++depth > deepest)
      return true;
    else if (!inString && (c == ']' || c == '}') && depth > 0)
      --depth;
  }
  return false;
}

Expected<json::Value> warpo::parseJson(StringRef text, StringRef file) {
  if (nestsDeeply(text))
    return fileError(file, "JSON that is nested more than " + Twine(deepest) + " deep");
  auto document = json::parse(text);
  if (!document)
    return fileError(file, toString(document.takeError()));
  return document;
}
