//===- RecordedCode.h - Source locations of a record's modules ------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_RECORD_RECORDEDCODE_H
#define WARPO_RECORD_RECORDEDCODE_H

#include "warpo/Record/CodeFrames.h"
#include "warpo/Record/Declarations.h"
#include <unordered_map>

namespace warpo {

/// Keeps the source locations of all modules of a record, for use after the record has been read.
class RecordedCode : public DeclarationObserver {
public:
  struct Module {
    const ModulePlaces &places;
    /// As in RecordedModule.
    llvm::StringRef hash;
  };

  /// Nothing if the record has no source locations for the module.
  std::optional<Module> of(uint64_t moduleId);

  void declareModule(size_t, const RecordedModule &,
                     llvm::ArrayRef<RecordedModule::Function>) override {}
  void declareLinkedFunctions(size_t, const RecordedModule &, llvm::ArrayRef<int32_t>) override {}
  void declarePlaces(size_t index, const RecordedModule &module) override;
  void declareStream(StreamIndex, const StreamInfo &) override {}
  void declareStack(uint32_t, const RecordedStack &) override {}
  void declarePhase(const RecordedPhase &) override {}
  void declareSwitch(const RecordedSwitch &) override {}

private:
  struct Known {
    std::shared_ptr<const SourcePlaces> places;
    std::string hash;
  };
  std::unordered_map<uint64_t, Known> modules_;
  CodeFrames unpacked_;
};

} // namespace warpo

#endif
