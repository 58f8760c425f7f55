//===- PercentEncoding.cpp ------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Support/PercentEncoding.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

std::string warpo::percentEncoded(StringRef text, StringRef plain) {
  std::string encoded;
  for (char c : text) {
    if (isAlnum(c) || plain.contains(c))
      encoded += c;
    else
      encoded += '%' + toHex(StringRef(&c, 1));
  }
  return encoded;
}

std::string warpo::percentDecoded(StringRef text) {
  std::string decoded;
  for (size_t i = 0; i != text.size(); ++i) {
    uint8_t byte;
    if (text[i] == '%' && i + 2 < text.size() &&
        tryGetHexFromNibbles(text[i + 1], text[i + 2], byte)) {
      decoded += char(byte);
      i += 2;
    } else {
      decoded += text[i];
    }
  }
  return decoded;
}
