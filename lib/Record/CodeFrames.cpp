//===- CodeFrames.cpp -----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Record/CodeFrames.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace warpo;

/// Lines are only read for the first parts of this total size; a line takes twelve bytes in memory,
/// and at least two in a part.
static constexpr uint64_t maxWithLines = uint64_t(1) << 26;

const ModulePlaces &CodeFrames::unpack(const SourcePlaces &places) {
  std::unique_ptr<ModulePlaces> &unpacked = unpacked_[&places];
  if (unpacked)
    return *unpacked;
  ArrayRef<uint8_t> contents = arrayRefFromStringRef(places.contents);
  unpackedSize_ += placePartsSize(contents).value_or(0);
  auto read = decodePlaces(contents, "places",
                           unpackedSize_ <= maxWithLines ? PlaceLines::read : PlaceLines::leftOut);
  // Everything but the lines has been validated before: if lines are invalid, nothing is known of
  // the code.
  if (!read)
    consumeError(read.takeError());
  return *(unpacked = std::make_unique<ModulePlaces>(read ? std::move(*read) : ModulePlaces()));
}

std::optional<SmallVector<SourceFrame, 4>> CodeFrames::find(const SourcePlaces &places, int32_t id,
                                                            uint32_t offset) {
  SmallVector<SourceFrame, 4> none;
  if (places.contents.empty())
    return none;
  const ModulePlaces &unpacked = unpack(places);
  const FunctionPlaces *function = functionAt(unpacked, offset);
  if (!function || function->id == 0)
    return none;
  return function->id == id ? std::optional(locate(unpacked, offset)) : std::nullopt;
}
