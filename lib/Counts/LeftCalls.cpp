//===- LeftCalls.cpp ------------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Counts/LeftCalls.h"
#include "warpo/Places/CodeMap.h"
#include "warpo/Wasm/CountArtifacts.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace warpo;
using wasm::leftCallsVersion;

/// Of the contents of `warpo.code`.
static constexpr uint8_t knownMapVersion = 1;

namespace {

/// From an instrumented module to the original.
struct WayBack {
  /// By how much the indices of functions with code have moved, and how many functions the original
  /// has.
  uint32_t moved = 0;
  uint32_t functions = UINT32_MAX;
  CodeMap map;

  /// Nothing for functions that instrumenting has added.
  std::optional<LeftCalls::Place> originalOf(uint64_t function, uint64_t place) const;
};

} // namespace

void LeftCalls::add(const LeftCalls &other) {
  unknownStacks = SaturatingAdd(unknownStacks, other.unknownStacks);
  for (auto [place, count] : other.calls) {
    uint64_t &sum = calls[place];
    sum = SaturatingAdd(sum, count);
  }
}

bool warpo::isAtLeftCalls(ByteCursor cursor, StringRef signature) {
  return cursor.remaining() >= signature.size() &&
         toStringRef(cursor.bytes(signature.size())) == signature;
}

std::optional<LeftCalls::Place> WayBack::originalOf(uint64_t function, uint64_t place) const {
  if (function < moved || function - moved >= functions)
    return std::nullopt;
  LeftCalls::Place original{uint32_t(function - moved), 0};
  if (place == 0)
    return original;
  original.code = map.originalOf(place);
  return original.code ? std::optional(original) : std::nullopt;
}

// The contents of the section `warpo.code`.
static WayBack readWayBack(ByteCursor &cursor) {
  WayBack back;
  const uint8_t *begin = cursor.position();
  if (uint8_t version = cursor.u8(); version != knownMapVersion && cursor.ok())
    cursor.failAt(begin, "a map of code of version " + Twine(unsigned(version)) + ", known is " +
                             Twine(unsigned(knownMapVersion)));
  back.moved = cursor.uleb32();
  back.functions = cursor.uleb32();
  back.map = CodeMap::read(cursor, cursor.remaining());
  return back;
}

LeftCalls warpo::readLeftCalls(ByteCursor &cursor) {
  LeftCalls calls;
  cursor.skip(wasm::leftCallsSignature.size());
  const uint8_t *begin = cursor.position();
  if (uint8_t version = cursor.u8(); version != leftCallsVersion && cursor.ok())
    cursor.failAt(begin, "calls that did not return, of version " + Twine(unsigned(version)) +
                             ", known is " + Twine(unsigned(leftCallsVersion)));
  calls.unknownStacks = cursor.uleb64();
  uint64_t mapSize = cursor.uleb64();
  uint64_t mapOffset = cursor.offset();
  ByteCursor map(cursor.bytes(mapSize), mapOffset);
  std::optional<WayBack> back;
  if (mapSize && cursor.ok()) {
    back = readWayBack(map);
    cursor.adoptFailure(map);
  }
  begin = cursor.position();
  uint64_t count = cursor.uleb64();
  if (cursor.ok() && count > cursor.remaining() / 3)
    cursor.failAt(begin, Twine(count) + " places, of which no more than " +
                             Twine(cursor.remaining() / 3) + " are there");
  for (; count && cursor.ok(); --count) {
    uint64_t function = cursor.uleb32();
    uint64_t code = cursor.uleb32();
    uint64_t left = cursor.uleb64();
    std::optional<LeftCalls::Place> place = LeftCalls::Place{uint32_t(function), uint32_t(code)};
    if (back)
      place = back->originalOf(function, code);
    if (!place || !cursor.ok())
      continue;
    uint64_t &sum = calls.calls[*place];
    sum = SaturatingAdd(sum, left);
  }
  return calls;
}
