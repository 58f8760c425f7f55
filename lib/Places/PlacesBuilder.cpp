//===- PlacesBuilder.cpp --------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Places/PlacesBuilder.h"
#include "PlaceParts.h"
#include "warpo/Support/Utf8.h"
#include "llvm/Support/JSON.h"

using namespace llvm;
using namespace warpo;

// Templates may have names of many kilobytes, hostile input any.
static constexpr size_t maxText = 1 << 16;

uint32_t PlacesBuilder::number(StringRef text, StringMap<uint32_t> &numbers,
                               std::vector<std::string> &texts) {
  if (text.empty())
    return 0;
  std::string fixed;
  if (text.size() > maxText || !json::isUTF8(text)) {
    fixed = json::fixUTF8(takeCharacters(text, maxText));
    text = fixed;
  }
  if (auto known = numbers.find(text); known != numbers.end())
    return known->second;
  size_ += text.size();
  // Half of the room: the other half is for numbers.
  if (texts.size() >= maxPlaceItems || size_ > place_parts::maxParts / 2) {
    if (!isFull_)
      places_.problems.push_back("there are too many files or names: some are unknown");
    isFull_ = true;
    return 0;
  }
  texts.push_back(text.str());
  numbers[text] = uint32_t(texts.size());
  return uint32_t(texts.size());
}
