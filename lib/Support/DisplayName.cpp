//===- DisplayName.cpp ----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Support/DisplayName.h"
#include "llvm/Support/JSON.h"

using namespace llvm;
using namespace warpo;

// The size of the first character of `text`, which is not empty, if it is unprintable; otherwise 0.
static size_t unprintableLength(StringRef text) {
  auto first = uint8_t(text[0]);
  if (first < 0x20 || first == 0x7f)
    return 1;
  if (first == 0xc2 && text.size() > 1 && uint8_t(text[1]) < 0xa0)
    return 2; // U+0080 to U+009F, controls too.
  // Line and paragraph separators; U+FFFE and U+FFFF, which XML forbids.
  for (StringRef character : {"\u2028", "\u2029", "\xef\xbf\xbe", "\xef\xbf\xbf"})
    if (text.starts_with(character))
      return character.size();
  return 0;
}

static std::string replaceUnprintable(StringRef text, bool keepLines) {
  std::string valid = json::fixUTF8(text);
  std::string result;
  for (StringRef rest = valid; !rest.empty();) {
    bool isKept = keepLines && rest[0] == '\n';
    size_t unprintable = isKept ? 0 : unprintableLength(rest);
    result += unprintable ? ' ' : rest[0];
    rest = rest.drop_front(unprintable ? unprintable : 1);
  }
  return result;
}

std::string warpo::displayName(StringRef name) {
  std::string result = replaceUnprintable(name, /*keepLines=*/false);
  StringRef trimmed = StringRef(result).trim(' ');
  return trimmed.empty() ? "[unknown]" : trimmed.str();
}

std::string warpo::displayShortName(StringRef name) {
  constexpr size_t most = 200;
  if (name.size() <= most)
    return displayName(name);
  size_t size = most;
  while (size > 0 && (uint8_t(name[size]) & 0xc0) == 0x80)
    --size;
  return displayName(name.take_front(size)) + "…";
}

std::string warpo::displayPlace(StringRef file, uint32_t line) {
  if (file.empty())
    return "";
  return displayName(file) + (line > 0 ? ":" + std::to_string(line) : "");
}

std::string warpo::displayInlined(const std::vector<StringRef> &names) {
  // More would not be readable.
  constexpr size_t mostNamed = 6;
  std::string text;
  for (size_t i = 0; i < std::min(names.size(), mostNamed); ++i)
    text += (i == 0 ? "contains " : ", ") + displayShortName(names[i]);
  if (names.size() > mostNamed)
    text += " and " + std::to_string(names.size() - mostNamed) + " more";
  return text;
}

std::string warpo::displayText(StringRef text) {
  return replaceUnprintable(text, /*keepLines=*/true);
}
