//===- PlacesFuzzer.cpp - Any debug information through its reader --------===//
// SPDX-License-Identifier: Apache-2.0
//
// Whatever DWARF a module has: what is read of it keeps the rules of docs/source-places.md, so that
// the section made of it can be read, and says the same of each offset. As bytes that are no module
// the input is such a section's parts.
//
//===----------------------------------------------------------------------===//

#include "../lib/Source/DwarfAsker.h"
#include "../lib/Source/dwarf/DwarfPlaces.h"
#include "llvm/ADT/StringExtras.h"
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
static constexpr uint64_t maxOffsets = 1 << 14;

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

static void checkAgain(const ModulePlaces &places) {
  EncodedPlaces encoded = encodePlaces(places);
  auto again = decodePlaces(encoded.bytes, "again");
  if (!again)
    fail(toString(again.takeError()));
  if (!encoded.leftOut.empty())
    return;
  uint64_t offsets = 0;
  for (const FunctionPlaces &function : places.functions)
    for (uint64_t i = 0; i != function.size && offsets != maxOffsets; ++i, ++offsets)
      if (textOf(places, function.start + i) != textOf(*again, function.start + i))
        fail("offset " + std::to_string(function.start + i) + " has other frames");
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  ArrayRef<uint8_t> bytes(data, size);
  auto module = wasm::readModule(bytes, "module");
  if (!module) {
    consumeError(module.takeError());
    if (auto places = decodePlaceParts(bytes, "parts"))
      checkAgain(*places);
    else
      consumeError(places.takeError());
    return 0;
  }
  checkAgain(readDwarf(dwarfOf(*module, module->sections)));
  return 0;
}
