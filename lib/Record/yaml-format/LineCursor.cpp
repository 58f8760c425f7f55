//===- LineCursor.cpp -----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "LineCursor.h"
#include "llvm/Support/JSON.h"

using namespace llvm;
using namespace warpo;

bool LineCursor::takeText(std::string &text, StringRef stops) {
  if (!rest_.starts_with("\"")) {
    StringRef plain = rest_.take_until([&](char c) { return stops.contains(c); });
    plain = plain.take_front(plain.find(" #")).rtrim();
    text = plain.str();
    rest_ = rest_.drop_front(plain.size());
    skipSpace();
    return !text.empty();
  }
  size_t end = 1;
  while (end < rest_.size() && rest_[end] != '"')
    end += rest_[end] == '\\' ? 2 : 1;
  auto value = json::parse(rest_.take_front(end + 1));
  if (!value || !value->getAsString()) {
    consumeError(value.takeError());
    return false;
  }
  text = value->getAsString()->str();
  rest_ = rest_.drop_front(end + 1);
  skipSpace();
  return true;
}
