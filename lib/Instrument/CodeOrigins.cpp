//===- CodeOrigins.cpp ----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "CodeOrigins.h"
#include "CodeMapping.h"
#include "warpo/Source/CodeOfCalls.h"
#include "warpo/Wasm/CustomSectionWriter.h"

using namespace llvm;
using namespace warpo;

Error CodeOrigins::locate() {
  if (!options_.locate)
    return Error::success();
  auto places = options_.locate(module_);
  if (!places)
    return places.takeError();
  result_.places.problems = std::move(places->problems);
  if (places->functions.empty())
    return Error::success();
  result_.places.origin = places->origin;
  result_.places.functions = places->functions.size();
  result_.sources = places->files;
  for (FunctionPlaces &known : places->functions) {
    FunctionReport &function = result_.functions[known.index];
    if (known.file && known.line) {
      function.source = known.file - 1;
      function.line = known.line;
    }
    known.id = function.id;
    if (places->name(known.name) == function.name)
      known.name = 0;
  }
  if (options_.writesPlaces) {
    std::vector<int32_t> ids;
    for (const FunctionReport &function : result_.functions)
      ids.push_back(function.id);
    addCodeOfCalls(*places, module_, ids);
    places_ = std::move(*places);
  }
  return Error::success();
}

static void appendSection(StringRef name, ArrayRef<uint8_t> contents, InstrumentedModule &result) {
  ByteWriter writer(result.bytes);
  wasm::appendCustomSection(name, contents, writer);
}

void CodeOrigins::appendMap() {
  const FunctionReport *last = result_.functions.empty() ? nullptr : &result_.functions.back();
  uint32_t added = last ? last->newIndex.value_or(last->index) - last->index : 0;
  appendSection(wasm::codeSection, encodeCodeSection(module_, result_.bytes, movements_, added),
                result_);
}

void CodeOrigins::appendPlaces(ModulePlaces places) {
  EncodedPlaces encoded = encodePlaces(std::move(places));
  result_.places.leftOut = std::move(encoded.leftOut);
  result_.places.bytes = encoded.bytes.size();
  if (!encoded.bytes.empty())
    appendSection(wasm::placesSection, encoded.bytes, result_);
}

Error CodeOrigins::follow() {
  if (movesSourceMap()) {
    auto rewritten = wasm::readModule(result_.bytes, module_.fileName);
    if (!rewritten)
      return rewritten.takeError();
    auto mappings = wasm::moveMappings(*options_.sourceMap, module_, *rewritten, movements_);
    if (!mappings)
      return mappings.takeError();
    result_.sourceMappings = std::move(*mappings);
  }
  if (!mapsCode())
    return Error::success();
  if (needsMap_)
    appendMap();
  if (places_)
    places_->map = mapCode(module_, result_.bytes, movements_);
  return Error::success();
}

Error CodeOrigins::append() {
  if (movements())
    if (Error error = follow())
      return error;
  if (places_)
    appendPlaces(std::move(*places_));
  return Error::success();
}
