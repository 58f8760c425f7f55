//===- PlaceParts.h - Constants of docs/source-places.md ------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_PLACES_PLACEPARTS_H
#define WARPO_LIB_PLACES_PLACEPARTS_H

#include "warpo/Places/ModulePlaces.h"
#include <cstdint>

namespace warpo::place_parts {

enum Kind : uint32_t {
  about = 1,
  files,
  names,
  inlinees,
  functions,
  inlined,
  lines,
  map,
  sites,
  costs,
};

/// 0, 1, 2, 3, … for 0, -1, 1, -2, …
inline uint64_t zigzag(int64_t difference) {
  return difference < 0 ? uint64_t(-difference) * 2 - 1 : uint64_t(difference) * 2;
}
inline int64_t differenceOf(uint64_t zigzag) {
  return zigzag & 1 ? -int64_t(zigzag / 2) - 1 : int64_t(zigzag / 2);
}

inline constexpr uint8_t version = 1;
/// Maximum size of the contents, which have to fit into a block of a record.
inline constexpr uint32_t maxContents = (1 << 24) - 16;
/// Maximum size of the parts before compression.
inline constexpr uint32_t maxParts = 1 << 26;
/// The number before the first id given by instrumenting.
inline constexpr int32_t beforeFirstId = 0x1000000 - 1;

/// The file and line that the next row of each call is relative to; call 0 is the function itself.
class LastPlaces {
public:
  struct Place {
    uint32_t file = 0;
    uint32_t line = 0;
  };

  LastPlaces(const ModulePlaces &places, const FunctionPlaces &function)
      : last_(function.calls.size() + 1) {
    last_[0] = {function.file, function.line};
    for (size_t i = 0; i != function.calls.size(); ++i)
      if (uint32_t number = function.calls[i].inlinee)
        last_[i + 1] = {places.inlinees[number - 1].file, places.inlinees[number - 1].line};
  }
  Place &operator[](uint32_t call) { return last_[call]; }

private:
  std::vector<Place> last_;
};

} // namespace warpo::place_parts

#endif
