//===- BinaryenNames.cpp --------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "BinaryenNames.h"
#include "Names.h"
#include "warpo/Support/DisplayName.h"
#include "warpo/Wasm/Module.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace warpo;

static bool isPlain(char c) {
  return isAlnum(c) || StringRef("!#$%&'*+-./:<=>?@^_`|~").contains(c);
}

// Binaryen formed both digits from a `char`: where that has a sign, the first digit of a byte above
// 0x7f lies before '0'.
static std::string escape(StringRef name, bool unsignedChar) {
  std::string text;
  for (char c : name) {
    if (isPlain(c)) {
      text += c;
      continue;
    }
    int high = uint8_t(c) >> 4;
    if (!unsignedChar && high >= 8)
      high -= 16;
    text += '\\';
    text += high < 10 ? char('0' + high) : char('a' + high - 10);
    text += hexdigit(uint8_t(c) & 15, /*LowerCase=*/true);
  }
  return text;
}

Expected<std::vector<std::string>> warpo::binaryenNames(const ComputedOrder &order,
                                                        const OrderFileOptions &options) {
  auto module = wasm::readModule(order.moduleBytes, order.module.fileName());
  if (!module)
    return module.takeError();
  // The releases that escape put a dot before the number, later ones a line.
  StringRef separator = options.escapeNames ? "." : "_";
  UniqueNames unique;
  std::vector<std::string> names(module->functionCount());
  for (uint32_t i = 0; i != module->functionCount(); ++i) {
    StringRef given = module->names.function(i);
    if (given.empty()) {
      if (!module->isImported(i))
        names[i] = std::to_string(i - module->importedFunctionCount());
      continue;
    }
    std::string base = options.escapeNames ? escape(given, options.unsignedChar) : given.str();
    names[i] = unique.take(base, separator, 1);
  }
  return names;
}

bool warpo::isListable(StringRef name, std::vector<std::string> &omissions) {
  if (!fitsLine(name))
    omissions.push_back("no line can stand for the function '" + displayName(name) +
                        "' (--escape-names may help)");
  return fitsLine(name);
}
