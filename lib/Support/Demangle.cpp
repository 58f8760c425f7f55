//===- Demangle.cpp -------------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Support/Demangle.h"
#include "DemangledSize.h"
#include "warpo/Support/CallKind.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Demangle/Demangle.h"
#include <cstdlib>
#include <optional>

using namespace llvm;
using namespace warpo;

// LLVM's demangler recurses with a name's nesting.
static constexpr size_t longestMangledName = 8192;

/// Whether a mangled name may expand to `size`, so that hostile ones do not fill the memory.
static bool isAffordable(StringRef name, uint64_t size) { return size <= 4096 + 128 * name.size(); }

/// Takes the text that LLVM's demanglers allocate.
static std::string takeText(char *text, StringRef otherwise) {
  std::string result = text ? text : otherwise.str();
  std::free(text);
  return result;
}

// Rust's old mangling is that of C++ with a hash as the last part of the path.
static bool dropRustHash(StringRef &name) {
  constexpr size_t length = StringLiteral("::h0123456789abcdef").size();
  if (name.size() <= length)
    return false;
  StringRef hash = name.take_back(length);
  if (!hash.consume_front("::h") ||
      !all_of(hash, [](char c) { return isHexDigit(c) && !isUpper(c); }))
    return false;
  name = name.drop_back(length);
  return true;
}

// What a path of Rust has instead of characters that its old mangling cannot hold: `$LT$`, `$u20$`,
// and `..` for `::`. Nothing if `text` does not begin with one.
static std::optional<std::pair<size_t, std::string>> decodeRustEscape(StringRef text) {
  static constexpr std::pair<StringLiteral, StringLiteral> escapes[] = {
      {"..", "::"},  {"$SP$", "@"}, {"$BP$", "*"}, {"$RF$", "&"}, {"$LT$", "<"},
      {"$GT$", ">"}, {"$LP$", "("}, {"$RP$", ")"}, {"$C$", ","}};
  for (const auto &[escape, meaning] : escapes)
    if (text.starts_with(escape))
      return std::pair(escape.size(), meaning.str());
  StringRef digits = text;
  size_t end = text.find('$', 1);
  uint32_t character;
  if (!digits.consume_front("$u") || end == StringRef::npos ||
      digits.take_front(end - 2).getAsInteger(16, character) || character < 0x20 ||
      character > 0x7e)
    return std::nullopt;
  return std::pair(end + 1, std::string(1, char(character)));
}

static std::string decodeRustPath(StringRef path) {
  std::string result;
  bool startsPart = true;
  while (!path.empty()) {
    // An underscore keeps a part from beginning with an escape.
    if (startsPart && path.starts_with("_$"))
      path = path.drop_front();
    startsPart = false;
    if (auto escape = decodeRustEscape(path)) {
      result += escape->second;
      path = path.drop_front(escape->first);
    } else if (path.consume_front("::")) {
      result += "::";
      startsPart = true;
    } else {
      result += path.front();
      path = path.drop_front();
    }
  }
  return result;
}

/// Takes away what link-time optimisation puts behind a function that it makes visible to others:
/// `.llvm.1234`, or ` (.llvm.1234)` where a linker has demangled the name.
static StringRef withoutPromotion(StringRef name) {
  StringRef symbol = name;
  bool isDemangled = symbol.consume_back(")");
  size_t start = symbol.rfind(isDemangled ? " (.llvm." : ".llvm.");
  if (start == StringRef::npos)
    return name;
  StringRef number = symbol.drop_front(symbol.rfind('.') + 1);
  bool isNumber = !number.empty() && all_of(number, [](char c) {
    return isDigit(c) || (c >= 'A' && c <= 'F') || c == '@';
  });
  return isNumber && start > 0 ? name.take_front(start) : name;
}

/// Rust's new mangling has a hash behind the name of each crate, which some linkers write when they
/// demangle it: `std[5f3c9038abe6489d]::io::stdin`.
static std::string withoutCrateHashes(StringRef name) {
  constexpr size_t least = 12, most = 16; // hexadecimal digits, without leading zeros
  std::string result;
  while (true) {
    size_t open = name.find('[');
    size_t close = name.find("]::", open);
    if (close == StringRef::npos)
      return result += name;
    StringRef hash = name.slice(open + 1, close);
    bool isHash = open > 0 && (isAlnum(name[open - 1]) || name[open - 1] == '_') &&
                  hash.size() >= least && hash.size() <= most &&
                  all_of(hash, [](char c) { return isHexDigit(c) && !isUpper(c); });
    result += name.take_front(isHash ? open : open + 1);
    name = name.drop_front(isHash ? close + 1 : open + 1);
  }
}

std::string warpo::demangleName(StringRef name) {
  if (name.size() > longestMangledName)
    return name.str();
  if (auto [plain, kind] = splitCallKind(name); !kind.empty())
    return demangleName(plain) + kind.str();
  StringRef symbol = withoutPromotion(name);
  if (symbol.starts_with("_R"))
    return isAffordable(symbol, demangledSizeOfRust(symbol)) ? takeText(rustDemangle(symbol), name)
                                                             : name.str();
  std::string demangled = symbol.str();
  if (symbol.starts_with("_Z"))
    demangled = isAffordable(symbol, demangledSizeOfItanium(symbol))
                    ? takeText(itaniumDemangle(symbol), name)
                    : name.str();
  // Linkers demangle what they can, and leave this.
  StringRef path = demangled;
  if (dropRustHash(path))
    return decodeRustPath(path);
  return symbol.starts_with("_Z") ? demangled : withoutCrateHashes(name);
}
