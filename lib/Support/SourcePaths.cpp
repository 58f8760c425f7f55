//===- SourcePaths.cpp ----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Support/SourcePaths.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace warpo;

// Paths may come from any system.
static bool isSeparator(char c) { return c == '/' || c == '\\'; }

static bool isAbsolute(StringRef path) {
  if (path.empty())
    return false;
  bool hasDrive = path.size() > 2 && isAlpha(path[0]) && path[1] == ':' && isSeparator(path[2]);
  // Includes URLs in source maps, such as `webpack://app/main.c`.
  return isSeparator(path[0]) || hasDrive || path.contains("://");
}

StringRef warpo::plainPath(StringRef path) {
  while (path.size() > 2 && path[0] == '.' && isSeparator(path[1])) {
    path = path.drop_front(2);
    while (path.size() > 1 && isSeparator(path[0]))
      path = path.drop_front();
  }
  return path;
}

/// The rest of `path` after `prefix`; empty if that is not a folder around it.
static StringRef behind(StringRef path, StringRef prefix) {
  if (prefix.empty() || !path.consume_front(prefix) || path.empty())
    return "";
  bool endsName = isSeparator(prefix.back());
  if (!endsName && !isSeparator(path.front()))
    return "";
  return path.drop_while(isSeparator);
}

std::string SourcePaths::operator()(StringRef path) const {
  path = plainPath(path);
  StringRef shortest = path;
  for (const std::string &prefix : prefixes_)
    if (StringRef rest = behind(path, plainPath(prefix));
        !rest.empty() && rest.size() < shortest.size())
      shortest = rest;
  if (root_.empty() || isAbsolute(shortest))
    return shortest.str();
  return root_ + (isSeparator(root_.back()) ? "" : "/") + shortest.str();
}
