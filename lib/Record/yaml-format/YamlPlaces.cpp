//===- YamlPlaces.cpp -----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "YamlPlaces.h"
#include "warpo/Support/CallKind.h"
#include "llvm/ADT/ArrayRef.h"

using namespace llvm;
using namespace warpo;

std::optional<YamlPlace> YamlPlace::parse(LineCursor &line) {
  YamlPlace place;
  if (!line.take("[") || !line.takeNumber(place.moduleId) || !line.take(",") ||
      !line.takeNumber(place.id) || !line.take(",") ||
      !line.takeText(place.texts.emplace_back(), ",") || !line.take(",") ||
      !line.takeNumber(place.line))
    return std::nullopt;
  while (line.take(","))
    if (!line.takeText(place.texts.emplace_back(), ",]") || place.texts.back().empty())
      return std::nullopt;
  if (!line.take("]") || !line.atEnd())
    return std::nullopt;
  return place;
}

uint32_t YamlPlaces::numberOf(const std::string &text) {
  auto [entry, isNew] = texts_.try_emplace(text, uint32_t(places_.texts.size()));
  if (isNew)
    places_.texts.push_back(text);
  return entry->second;
}

bool YamlPlaces::add(const YamlPlace &place) {
  if (places_.functions.empty() ? place.id < firstFunctionId
                                : place.id <= places_.functions.back().id)
    return false;
  SourcePlaces::Function function{};
  function.id = place.id;
  function.line = place.line;
  function.file = numberOf(place.texts.front());
  function.firstInlined = uint32_t(places_.inlined.size());
  function.inlinedCount = uint32_t(place.texts.size() - 1);
  for (const std::string &name : ArrayRef(place.texts).drop_front())
    places_.inlined.push_back(numberOf(name));
  places_.functions.push_back(function);
  return true;
}
