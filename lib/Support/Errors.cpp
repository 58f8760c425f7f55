//===- Errors.cpp ---------------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Support/Errors.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

Error warpo::makeError(const Twine &message) {
  return createStringError(inconvertibleErrorCode(), message);
}

Error warpo::fileError(StringRef file, const Twine &message) {
  return makeError(Twine(file) + ": " + message);
}

Error warpo::fileError(StringRef file, std::error_code code) {
  std::string text = code.message();
  if (!text.empty())
    text[0] = toLower(text[0]);
  return createStringError(code, file + ": " + text);
}

std::string warpo::placeInFile(StringRef file, uint64_t offset) {
  return (file + ":0x" + utohexstr(offset, /*LowerCase=*/true)).str();
}

Error warpo::offsetError(StringRef file, uint64_t offset, const Twine &message) {
  return fileError(placeInFile(file, offset), message);
}

Error warpo::lineError(StringRef file, uint64_t line, const Twine &message) {
  return makeError(Twine(file) + ":" + Twine(line) + ": " + message);
}

std::string warpo::countOf(uint64_t count, StringRef singular, StringRef plural) {
  if (count == 1)
    return ("1 " + singular).str();
  return plural.empty() ? (Twine(count) + " " + singular + "s").str()
                        : (Twine(count) + " " + plural).str();
}
