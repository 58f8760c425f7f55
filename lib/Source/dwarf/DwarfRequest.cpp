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

static void writeDetails(const ModulePlaces &places, ByteWriter &out) {
  for (const FunctionPlaces &function : places.functions) {
    out.uleb(function.discriminators.size());
    uint32_t last = function.start;
    for (const CodeDiscriminator &change : function.discriminators) {
      out.uleb(change.offset - last);
      out.uleb(change.value);
      last = change.offset;
    }
    for (const InlinedCall &call : function.calls)
      out.uleb(call.discriminator);
  }
  out.uleb(places.dropped.size());
  for (const Inlinee &function : places.dropped)
    for (uint32_t number : {function.name, function.file, function.line})
      out.uleb(number);
}

static uint32_t readNumber(ByteCursor &cursor, size_t known) {
  uint32_t number = cursor.uleb32();
  if (number <= known)
    return number;
  cursor.fail("number " + Twine(number) + " of " + Twine(known));
  return 0;
}

static void readDetails(ByteCursor &cursor, ModulePlaces &places) {
  for (FunctionPlaces &function : places.functions) {
    uint64_t last = function.start;
    for (uint32_t count = cursor.uleb32(); count-- && cursor.ok();) {
      last += cursor.uleb32();
      if (last >= uint64_t(function.start) + function.size)
        cursor.fail("a discriminator behind its function");
      function.discriminators.push_back({uint32_t(last), cursor.uleb32()});
    }
    for (InlinedCall &call : function.calls)
      call.discriminator = cursor.uleb32();
  }
  for (uint32_t count = cursor.uleb32(); count-- && cursor.ok();) {
    uint32_t name = readNumber(cursor, places.names.size());
    uint32_t file = readNumber(cursor, places.files.size());
    places.dropped.push_back({name, file, cursor.uleb32()});
  }
}

SmallVector<uint8_t, 0> warpo::encodeDwarfAnswer(const ModulePlaces &places) {
  SmallVector<uint8_t, 0> answer;
  ByteWriter out(answer);
  out.uleb(places.problems.size());
  for (const std::string &problem : places.problems)
    out.name(problem);
  SmallVector<uint8_t, 0> parts = encodePlaceParts(places);
  out.uleb(parts.size());
  out.bytes(parts);
  writeDetails(places, out);
  return answer;
}

Expected<ModulePlaces> warpo::decodeDwarfAnswer(ArrayRef<uint8_t> answer) {
  ByteCursor cursor(answer);
  std::vector<std::string> problems;
  for (uint32_t count = cursor.uleb32(); count-- && cursor.ok();)
    problems.push_back(cursor.sizedString().str());
  ArrayRef<uint8_t> parts = cursor.bytes(cursor.uleb32());
  if (Error error = cursor.takeError("answer"))
    return error;
  auto places = decodePlaceParts(parts, "answer");
  if (!places)
    return places;
  places->problems = std::move(problems);
  readDetails(cursor, *places);
  if (Error error = cursor.takeError("answer"))
    return error;
  return places;
}
