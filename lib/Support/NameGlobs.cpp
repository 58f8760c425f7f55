//===- NameGlobs.cpp ------------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Support/NameGlobs.h"
#include "warpo/Support/Errors.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace warpo;

/// Escapes each `[]` in a pattern: it occurs in AssemblyScript's names of operators, and is
/// meaningless in a pattern. Does not change the contents of classes, such as in `[[]`, and escaped
/// characters.
static std::string escapeEmptyBrackets(StringRef text) {
  std::string result;
  while (!text.empty()) {
    size_t length = 1;
    if (text.starts_with("[]")) {
      result += "\\[\\]";
      text = text.drop_front(2);
      continue;
    }
    if (text[0] == '\\')
      length = 2;
    else if (text[0] == '[')
      // The first character of a class is never its end.
      if (size_t end = text.find(']', 2); end != StringRef::npos)
        length = end + 1;
    result += text.take_front(length);
    text = text.drop_front(std::min(length, text.size()));
  }
  return result;
}

Expected<NameGlobs> NameGlobs::create(ArrayRef<std::string> patterns, StringRef option) {
  NameGlobs result;
  for (const std::string &text : patterns) {
    auto glob = std::make_unique<Glob>(Glob{text, escapeEmptyBrackets(text), std::nullopt});
    auto pattern = GlobPattern::create(glob->escaped);
    if (!pattern)
      return makeError("--" + option + "=" + text + ": " + toString(pattern.takeError()));
    glob->pattern = std::move(*pattern);
    result.globs_.push_back(std::move(glob));
  }
  return result;
}

bool NameGlobs::matches(StringRef name) const {
  return any_of(globs_,
                [&](const auto &glob) { return name == glob->text || glob->pattern->match(name); });
}

bool NameGlobs::matchesModule(uint64_t id, StringRef name) const {
  std::string number = std::to_string(id);
  return matches(number) || matches("0x" + utohexstr(id, /*LowerCase=*/true)) ||
         matches(name.empty() ? "Module " + number : name.str());
}
