//===- PlacesBuilder.h - Numbers for the texts of places ------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_PLACES_PLACESBUILDER_H
#define WARPO_PLACES_PLACESBUILDER_H

#include "warpo/Places/ModulePlaces.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"

namespace warpo {

/// Gives each file and each name its number. Keeps the limits of docs/source-places.md: what
/// goes beyond them is unknown.
class PlacesBuilder {
public:
  /// `places` must outlive the builder.
  explicit PlacesBuilder(ModulePlaces &places) : places_(places) {}

  uint32_t file(llvm::StringRef path) { return number(path, files_, places_.files); }
  uint32_t name(llvm::StringRef name) { return number(name, names_, places_.names); }

private:
  uint32_t number(llvm::StringRef text, llvm::StringMap<uint32_t> &numbers,
                  std::vector<std::string> &texts);

  ModulePlaces &places_;
  llvm::StringMap<uint32_t> files_, names_;
  size_t size_ = 0;
  bool isFull_ = false;
};

} // namespace warpo

#endif
