//===- DwarfRequest.cpp ---------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "DwarfRequest.h"
#include "warpo/Support/ByteCursor.h"
#include "warpo/Support/ByteWriter.h"

using namespace llvm;
using namespace warpo;

SmallVector<uint8_t, 0> warpo::encodeDwarfRequest(const DwarfInput &input) {
  SmallVector<uint8_t, 0> request;
  ByteWriter out(request);
  out.uleb(input.functions.size());
  for (const FunctionPlaces &function : input.functions)
    for (uint32_t number : {function.index, function.start, function.size})
      out.uleb(number);
  out.uleb(input.sections.size());
  for (const DwarfSection &section : input.sections) {
    out.name(section.name);
    out.name(section.contents);
  }
  return request;
}

Expected<DwarfInput> warpo::decodeDwarfRequest(ArrayRef<uint8_t> request) {
  DwarfInput input;
  ByteCursor cursor(request);
  for (uint32_t count = cursor.uleb32(); count-- && cursor.ok();) {
    FunctionPlaces function;
    function.index = cursor.uleb32();
    function.start = cursor.uleb32();
    function.size = cursor.uleb32();
    input.functions.push_back(std::move(function));
  }
  for (uint32_t count = cursor.uleb32(); count-- && cursor.ok();) {
    StringRef name = cursor.sizedString();
    input.sections.push_back({name, cursor.sizedString()});
  }
  if (Error error = cursor.takeError("request"))
    return error;
  return input;
}

SmallVector<uint8_t, 0> warpo::encodeDwarfAnswer(const ModulePlaces &places) {
  SmallVector<uint8_t, 0> answer;
  ByteWriter out(answer);
  out.uleb(places.problems.size());
  for (const std::string &problem : places.problems)
    out.name(problem);
  out.bytes(encodePlaceParts(places));
  return answer;
}

Expected<ModulePlaces> warpo::decodeDwarfAnswer(ArrayRef<uint8_t> answer) {
  ByteCursor cursor(answer);
  std::vector<std::string> problems;
  for (uint32_t count = cursor.uleb32(); count-- && cursor.ok();)
    problems.push_back(cursor.sizedString().str());
  if (Error error = cursor.takeError("answer"))
    return error;
  auto places = decodePlaceParts(cursor.bytes(cursor.remaining()), "answer");
  if (places)
    places->problems = std::move(problems);
  return places;
}
