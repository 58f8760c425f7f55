//===- PlacesBytes.h - Numbers of docs/source-places.md -------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_RECORD_WARPO_PLACESBYTES_H
#define WARPO_LIB_RECORD_WARPO_PLACESBYTES_H

#include <cstdint>

namespace warpo {

inline constexpr uint8_t placesVersion = 1;
/// Of what is compressed.
inline constexpr uint32_t maxPlacesSize = 1u << 26;

/// Of files, names and functions: each takes memory of its own, and a small block must not become a
/// large table.
inline constexpr uint32_t maxPlacesItems = 1u << 20;

enum PlacesPart : uint8_t {
  places_files = 2,
  places_names = 3,
  places_inlinees = 4,
  places_functions = 5,
  places_inlined = 6,
};

} // namespace warpo

#endif
