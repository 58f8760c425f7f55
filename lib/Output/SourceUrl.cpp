//===- SourceUrl.cpp ------------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Output/SourceUrl.h"
#include "warpo/Support/Errors.h"
#include "warpo/Support/PercentEncoding.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace warpo;

static constexpr StringLiteral filePlace = "{file}", linePlace = "{line}";

Expected<SourceUrl> SourceUrl::create(StringRef pattern) {
  if (!pattern.contains(filePlace))
    return makeError("--source-url=" + pattern + ": has no {file}, as in " +
                     "https://example.org/app/{file}#L{line}");
  // Any other scheme could run as a script; without one, the URL would be relative to the page.
  StringRef scheme = pattern.take_front(pattern.find("://"));
  bool isAddress =
      scheme.size() < pattern.size() && !scheme.empty() && isAlpha(scheme.front()) &&
      all_of(scheme, [](char c) { return isAlnum(c) || StringRef("+-.").contains(c); });
  if (!isAddress)
    return makeError("--source-url=" + pattern +
                     ": is not an address, which begins as in https://");
  SourceUrl url;
  url.pattern_ = pattern.str();
  return url;
}

// Characters that need no escape in a URL's path; a file name may contain any.
static constexpr StringLiteral plainInPath = "-._~/:@!$&'()*+,;=";

std::string SourceUrl::of(StringRef file, uint32_t line) const {
  if (pattern_.empty() || file.empty())
    return "";
  std::string result;
  StringRef rest = pattern_;
  while (!rest.empty()) {
    if (rest.consume_front(filePlace))
      result += percentEncoded(file, plainInPath);
    else if (rest.consume_front(linePlace))
      result += std::to_string(std::max(line, 1u));
    else {
      result += rest.front();
      rest = rest.drop_front();
    }
  }
  return result;
}
