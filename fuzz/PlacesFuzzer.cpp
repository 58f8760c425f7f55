//===- PlacesFuzzer.cpp - Any bytes as places of sources ------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The input is the parts of docs/source-places.md, without the frame around them. What the reader
// takes keeps their rules: it can be written, is read again, and says the same of each offset.
//
// DWARF is not fed: LLVM's reader of it ends its process on some input, which is why it has one of
// its own. test/source-places/hostile.test damages DWARF.
//
//===----------------------------------------------------------------------===//

#include "warpo/Places/ModulePlaces.h"
#include <cstdio>
#include <cstdlib>

using namespace llvm;
using namespace warpo;

static void fail(StringRef why) {
  std::fprintf(stderr, "%s\n", why.str().c_str());
  std::abort();
}

static constexpr size_t maxFrames = 256;
// A body of four gigabytes would be asked for each of its bytes.
static constexpr uint64_t maxOffsets = 1 << 12;

static std::string textOf(const ModulePlaces &places, uint64_t offset) {
  auto frames = locate(places, offset);
  if (frames.size() > maxFrames)
    fail("too many frames");
  std::string text;
  for (const SourceFrame &frame : frames)
    text += (frame.function + "@" + frame.file + ":" + Twine(frame.line) + ":" +
             Twine(frame.column) + "<" + frame.startFile + ":" + Twine(frame.startLine) + ">;")
                .str();
  return text;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  auto places = decodePlaceParts(ArrayRef(data, size), "parts");
  if (!places) {
    consumeError(places.takeError());
    return 0;
  }
  EncodedPlaces encoded = encodePlaces(*places);
  if (!encoded.leftOut.empty())
    return 0;
  auto again = decodePlaces(encoded.bytes, "again");
  if (!again)
    fail(toString(again.takeError()));
  uint64_t offsets = 0;
  for (const FunctionPlaces &function : places->functions)
    for (uint64_t i = 0; i != function.size && offsets != maxOffsets; ++i, ++offsets)
      if (textOf(*places, function.start + i) != textOf(*again, function.start + i))
        fail("offset " + std::to_string(function.start + i) + " has other frames");
  for (uint64_t i = 0; i != maxOffsets; ++i) {
    uint64_t offset = uint64_t(places->map.code) + i;
    if (places->map.originalOf(offset) != again->map.originalOf(offset))
      fail("offset " + std::to_string(offset) + " of the instrumented module is another one");
  }
  return 0;
}
