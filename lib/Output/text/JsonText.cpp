//===- JsonText.cpp -------------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "JsonText.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

std::string warpo::jsonString(StringRef text) {
  std::string result;
  raw_string_ostream os(result);
  os << json::Value(json::fixUTF8(text));
  return result;
}
