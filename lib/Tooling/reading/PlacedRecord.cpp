//===- PlacedRecord.cpp - A record with the source places of other files --===//
// SPDX-License-Identifier: Apache-2.0

#include "DeclarationFilter.h"
#include "PlacesSet.h"
#include "warpo/Tooling/ToolMain.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace warpo;

namespace {

class Placer : public ForwardingObserver {
public:
  Placer(DeclarationObserver &observer, PlacesSet &files)
      : ForwardingObserver(observer), files_(files) {}

  void declareModule(size_t index, const RecordedModule &module,
                     ArrayRef<RecordedModule::Function> added) override {
    observer().declareModule(index, module, added);
    place(index, module, /*areAll=*/false);
  }
  void declarePlaces(size_t index, const RecordedModule &module) override {
    if (!files_.of(module))
      observer().declarePlaces(index, module);
  }

  // From a pipe, further names may have come after the last look-up.
  void finish(const RecordHeader &header) override {
    for (const auto &[index, module] : enumerate(header.modules)) {
      place(index, module, /*areAll=*/true);
      reportMissing(module);
    }
    // WARP's records do not declare their modules.
    for (const StreamInfo &stream : header.streams)
      for (uint64_t id : stream.moduleIds()) {
        RecordedModule module;
        module.id = id;
        if (header.modules.empty())
          reportMissing(module);
      }
  }

private:
  void reportMissing(const RecordedModule &module) {
    const PlacesFile *file = files_.of(module);
    if (file && !files_.placesOf(module, /*areAll=*/true))
      noteOnce("places of " + file->path,
               file->path + ": no source places: the record has no names of its functions, by "
                            "which they are found; the file that warpo-instrument --info-file "
                            "writes has both, for --mapping");
  }

  void place(size_t index, const RecordedModule &module, bool areAll) {
    auto places = files_.placesOf(module, areAll);
    if (index >= declared_.size())
      declared_.resize(index + 1);
    if (!places || places == declared_[index])
      return;
    declared_[index] = places;
    RecordedModule placed;
    placed.id = module.id;
    placed.name = module.name;
    placed.hash = module.hash;
    placed.buildId = module.buildId;
    placed.places = std::move(places);
    observer().declarePlaces(index, placed);
  }

  PlacesSet &files_;
  /// By index of the module.
  std::vector<std::shared_ptr<const SourcePlaces>> declared_;
};

} // namespace

std::unique_ptr<RecordReader> warpo::withPlaces(std::unique_ptr<RecordReader> record,
                                                PlacesSet files) {
  auto shared = std::make_shared<PlacesSet>(std::move(files));
  return std::make_unique<DeclarationFilter>(std::move(record),
                                             [shared](DeclarationObserver &observer) {
                                               return std::make_unique<Placer>(observer, *shared);
                                             });
}
