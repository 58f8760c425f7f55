//===- CsvText.cpp --------------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Support/CsvText.h"

using namespace llvm;
using namespace warpo;

void warpo::writeCsvField(StringRef text, raw_ostream &os) {
  bool isFormula = !text.empty() && StringRef("=+-@").contains(text.front());
  if (!isFormula && text.find_first_of(",\"\r\n") == StringRef::npos) {
    os << text;
    return;
  }
  os << (isFormula ? "\"'" : "\"");
  for (char c : text) {
    if (c == '"')
      os << '"';
    os << c;
  }
  os << '"';
}
