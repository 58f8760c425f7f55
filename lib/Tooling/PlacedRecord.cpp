//===- PlacedRecord.cpp - A record with the source places of other files --===//
// SPDX-License-Identifier: Apache-2.0

#include "DeclarationFilter.h"
#include "FunctionIndices.h"
#include "PlacesSet.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace warpo;

namespace {

class Placer : public ForwardingObserver {
public:
  Placer(DeclarationObserver &observer, const PlacesSet &files)
      : ForwardingObserver(observer), files_(files) {}

  void declareModule(size_t index, const RecordedModule &module,
                     ArrayRef<RecordedModule::Function> added) override {
    observer().declareModule(index, module, added);
    // Sections come one by one, and have no places.
    if (const PlacesFile *file = files_.of(module); file && any_of(added, isIndexed))
      if (auto places = placesFor(*file, module)) {
        RecordedModule placed;
        placed.id = module.id;
        placed.name = module.name;
        placed.hash = module.hash;
        placed.buildId = module.buildId;
        placed.places = std::move(places);
        observer().declarePlaces(index, placed);
      }
  }
  void declarePlaces(size_t index, const RecordedModule &module) override {
    if (!files_.of(module))
      observer().declarePlaces(index, module);
  }

private:
  const PlacesSet &files_;
};

} // namespace

std::unique_ptr<RecordReader> warpo::withPlaces(std::unique_ptr<RecordReader> record,
                                                PlacesSet files) {
  auto shared = std::make_shared<const PlacesSet>(std::move(files));
  return std::make_unique<DeclarationFilter>(std::move(record),
                                             [shared](DeclarationObserver &observer) {
                                               return std::make_unique<Placer>(observer, *shared);
                                             });
}
