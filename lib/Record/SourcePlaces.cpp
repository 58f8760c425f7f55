//===- SourcePlaces.cpp - Places of functions in records ------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Record/SourcePlaces.h"
#include "PlacesSummary.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include <tuple>

using namespace llvm;
using namespace warpo;

/// The code size of each inlined call including nested ones, by number; 0 is the function itself.
static std::vector<uint64_t> codeOfCalls(const FunctionPlaces &function) {
  std::vector<uint64_t> code(function.calls.size() + 1);
  uint64_t at = function.start;
  uint32_t current = 0;
  for (const CallChange &change : function.changes) {
    code[current] += change.offset - at;
    at = change.offset;
    current = change.call;
  }
  code[current] += uint64_t(function.start) + function.size - at;
  for (size_t call = function.calls.size(); call > 0; --call)
    code[function.calls[call - 1].around] += code[call];
  return code;
}

/// Numbers of names: most code first, equal ones in the order of calls.
static SmallVector<uint32_t> namesInlinedInto(const ModulePlaces &places,
                                              const FunctionPlaces &function) {
  std::vector<uint64_t> code = codeOfCalls(function);
  MapVector<uint32_t, uint64_t> codeOfName;
  for (size_t call = 0; call < function.calls.size(); ++call)
    if (uint32_t inlinee = function.calls[call].inlinee)
      if (uint32_t name = places.inlinees[inlinee - 1].name)
        codeOfName[name] += code[call + 1];
  // Sizes are negated, so that the largest come first and equal ones keep their order.
  std::vector<std::tuple<int64_t, size_t, uint32_t>> sorted;
  for (auto [name, size] : codeOfName)
    sorted.emplace_back(-int64_t(size), sorted.size(), name);
  llvm::sort(sorted);
  SmallVector<uint32_t> names;
  for (const auto &entry : sorted)
    names.push_back(std::get<uint32_t>(entry));
  return names;
}

Expected<SourcePlaces> warpo::readPlaces(StringRef contents) {
  auto read = decodePlaces(arrayRefFromStringRef(contents), "places", PlaceLines::leftOut);
  if (!read)
    return read.takeError();
  return summarize(std::move(*read), contents);
}

SourcePlaces warpo::summarize(ModulePlaces read, StringRef contents) {
  SourcePlaces places;
  auto firstName = uint32_t(1 + read.files.size());
  for (const FunctionPlaces &function : read.functions) {
    if (function.id == 0)
      continue;
    SmallVector<uint32_t> names = namesInlinedInto(read, function);
    places.functions.push_back({function.id, function.file, function.line,
                                uint32_t(places.inlined.size()), uint32_t(names.size())});
    for (uint32_t name : names)
      places.inlined.push_back(firstName + name - 1);
  }
  for (std::vector<std::string> *texts : {&read.files, &read.names})
    std::move(texts->begin(), texts->end(), std::back_inserter(places.texts));
  places.contents = contents.str();
  return places;
}

uint64_t SourcePlaces::size() const {
  uint64_t size = functions.size() * sizeof(Function) + inlined.size() * sizeof(uint32_t) +
                  texts.size() * sizeof(std::string) + contents.size();
  for (const std::string &text : texts)
    size += text.size();
  return size;
}

std::string warpo::writePlaces(const SourcePlaces &places) {
  ModulePlaces written;
  // Text 0 means that there is none; unused texts are not written.
  written.files.assign(places.texts.begin() + 1, places.texts.end());
  written.names = written.files;
  DenseMap<uint32_t, uint32_t> inlineeOfName;
  for (const SourcePlaces::Function &function : places.functions) {
    FunctionPlaces to;
    to.index = uint32_t(written.functions.size());
    to.id = function.id;
    to.file = function.file;
    to.line = function.line;
    // All directly in the function, and without code.
    for (uint32_t name : places.inlinedInto(function)) {
      auto [inlinee, isNew] =
          inlineeOfName.try_emplace(name, uint32_t(written.inlinees.size() + 1));
      if (isNew)
        written.inlinees.push_back({.name = name});
      to.calls.push_back({.inlinee = inlinee->second});
    }
    written.functions.push_back(std::move(to));
  }
  return toStringRef(encodePlaces(std::move(written)).bytes).str();
}
