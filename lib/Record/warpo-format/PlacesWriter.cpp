//===- PlacesWriter.cpp - Writes docs/source-places.md --------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// For places that come from elsewhere than a module: a mapping, a text.
//
//===----------------------------------------------------------------------===//

#include "PlacesBytes.h"
#include "warpo/Record/SourcePlaces.h"
#include "warpo/Support/CallKind.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Compression.h"
#include "llvm/Support/LEB128.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace warpo;

namespace {

/// Texts of one kind, numbered from 1 in the order of their use.
class NumberedTexts {
public:
  uint32_t of(uint32_t text) {
    return text == 0 ? 0 : numbers_.try_emplace(text, uint32_t(numbers_.size() + 1)).first->second;
  }
  size_t size() const { return numbers_.size(); }
  void write(ArrayRef<std::string> texts, raw_ostream &os) const {
    encodeULEB128(numbers_.size(), os);
    for (const auto &[text, number] : numbers_) {
      encodeULEB128(texts[text].size(), os);
      os << texts[text];
    }
  }

private:
  MapVector<uint32_t, uint32_t> numbers_;
};

} // namespace

std::string warpo::writePlaces(const SourcePlaces &places) {
  NumberedTexts files, names;
  std::string functions, inlined;
  raw_string_ostream functionsOs(functions), inlinedOs(inlined);
  auto put = [](raw_ostream &os, std::initializer_list<uint64_t> numbers) {
    for (uint64_t number : numbers)
      encodeULEB128(number, os);
  };
  put(functionsOs, {places.functions.size()});
  int32_t lastId = firstFunctionId - 1;
  uint64_t skipped = 0;
  for (const SourcePlaces::Function &function : places.functions) {
    put(functionsOs, {0, uint64_t(function.id - std::exchange(lastId, function.id)), 0,
                      files.of(function.file), function.line, 0, 0});
    if (function.inlinedCount == 0) {
      ++skipped;
      continue;
    }
    put(inlinedOs, {std::exchange(skipped, 0), function.inlinedCount});
    uint64_t call = 0;
    // All of them directly in the function, and no code is known of any.
    for (uint32_t name : places.inlinedInto(function))
      put(inlinedOs, {++call, names.of(name), 0, 0, 0});
    put(inlinedOs, {0});
  }
  std::string parts;
  raw_string_ostream os(parts);
  auto putPart = [&](PlacesPart kind, StringRef payload) {
    put(os, {kind, payload.size()});
    os << payload;
  };
  std::string payload;
  raw_string_ostream payloadOs(payload);
  files.write(places.texts, payloadOs);
  putPart(places_files, payload);
  if (names.size() > 0) {
    payload.clear();
    names.write(places.texts, payloadOs);
    putPart(places_names, payload);
    payload.clear();
    put(payloadOs, {names.size()});
    for (uint64_t name = 1; name <= names.size(); ++name)
      put(payloadOs, {name, 0, 0});
    putPart(places_inlinees, payload);
  }
  putPart(places_functions, functions);
  if (!inlined.empty())
    putPart(places_inlined, inlined);
  if (parts.size() > maxPlacesSize || places.texts.size() > maxPlacesItems ||
      places.functions.size() > maxPlacesItems)
    return "";
  SmallVector<uint8_t, 0> frame;
  compression::zstd::compress(arrayRefFromStringRef(parts), frame);
  std::string contents;
  raw_string_ostream contentsOs(contents);
  contentsOs << char(placesVersion);
  put(contentsOs, {parts.size()});
  contentsOs << toStringRef(ArrayRef<uint8_t>(frame));
  return contents;
}
