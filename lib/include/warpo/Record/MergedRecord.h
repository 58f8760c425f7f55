//===- MergedRecord.h - Joins several records -----------------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_RECORD_MERGEDRECORD_H
#define WARPO_RECORD_MERGEDRECORD_H

#include "warpo/Record/RecordFormat.h"
#include "warpo/Support/SectionId.h"
#include <map>
#include <set>
#include <unordered_map>

namespace warpo {

/// The records of threads or processes that ran at the same time and wrote a file each. Its clock
/// counts nanoseconds from the start of the earliest record, according to their wall clock times; a
/// record without one begins then, too. Streams are named after their record. Modules of several
/// records are the same if their ids, names and hashes are equal; a different module with the same
/// id gets another id. Each record has numbered its sections itself: those of a module are the same
/// if their names are. Phases of each record stay together, under its name.
class MergedRecord : public RecordSource {
public:
  struct Part {
    std::unique_ptr<RecordReader> reader;
    /// Names its streams.
    std::string name;
    /// The scale of its clock.
    TimeScale scale;
    /// The time of its earliest entry, which need not be in its first batch. If it is not given, a
    /// record without a wall clock time begins with its first batch, and earlier entries move
    /// there.
    std::optional<uint64_t> earliest = {};
  };
  /// `parts` must not be empty. Fails if they have no common clock: one has no time, or a measure
  /// such as fuel was counted with different costs.
  static llvm::Expected<std::unique_ptr<MergedRecord>> create(std::vector<Part> parts);

  /// Names of the parts without a wall clock time.
  std::vector<std::string> unaligned() const;

  llvm::Expected<bool> addColumnsAhead() override;
  llvm::Expected<bool> next(RecordBatch &batch) override;
  /// The mean of the parts that state it: machines and clocks are mostly the same.
  ProbeCost probe() const override;
  std::string placeOf(size_t index) const override {
    return parts_[current_].reader->placeOf(index);
  }
  uint64_t bytesRead() const override;
  std::optional<uint64_t> inputSize() const override;

private:
  struct Module {
    /// Its index in our header.
    size_t index;
    /// Whether its functions come from this part.
    bool isOwner;
  };
  /// A part and its declarations. Modules are added to our header at once, so that names are known
  /// before the first batch; the rest is added once the batch that needs it has been read, and
  /// phases once the offset of the part's clock is known.
  struct Input : Part, DeclarationObserver {
    Input(Part part, MergedRecord &merged) : Part(std::move(part)), merged(merged) {}

    void declareModule(size_t index, const RecordedModule &module,
                       llvm::ArrayRef<RecordedModule::Function> added) override;
    void declareLinkedFunctions(size_t index, const RecordedModule &module,
                                llvm::ArrayRef<int32_t> added) override;
    void declarePlaces(size_t index, const RecordedModule &module) override;
    void declareStream(StreamIndex index, const StreamInfo &stream) override;
    void declareStack(uint32_t, const RecordedStack &stack) override { newStacks.push_back(stack); }
    void declarePhase(const RecordedPhase &phase) override { phases.push_back(phase); }
    void declareSwitch(const RecordedSwitch &change) override { newSwitches.push_back(change); }
    /// Our id for the module with this id in the part.
    uint64_t moduleIdOf(uint64_t id) const;
    /// Our id for a function or section (positive) of the module with this id in the part.
    int32_t functionIdOf(uint64_t moduleId, int32_t id) const;
    ModuleWindow windowOf(ModuleWindow theirs) const;

    MergedRecord &merged;
    /// A count of its clock, and the corresponding time of ours.
    uint64_t origin = 0;
    uint64_t offset = 0;
    /// Whether both are known.
    bool isPlaced = false;
    RecordBatch batch;
    /// Whether the batch has been read but not passed on.
    bool isWaiting = false;
    bool atEnd = false;
    uint64_t lastTime = 0;
    /// Our indices, by those of the part.
    std::vector<StreamIndex> streams;
    std::vector<Module> modules;
    std::unordered_map<uint64_t, uint64_t> moduleIds;
    /// By module and id, sections that have other ids with us.
    std::map<std::pair<uint64_t, int32_t>, int32_t> sections;
    std::vector<uint32_t> stacks{0};
    std::vector<ColumnIndex> columns;
    std::vector<StreamInfo> newStreams;
    std::vector<RecordedStack> newStacks;
    std::vector<RecordedPhase> phases;
    std::vector<RecordedSwitch> newSwitches;
    /// Our numbers, by those of the part: parts do not share memories.
    std::unordered_map<uint32_t, uint32_t> memories;
  };

  MergedRecord() = default;
  llvm::Error add(Part part);
  void place(Input &input);
  uint64_t timeOf(const Input &input, uint64_t time) const;
  /// Rounded like times, so that a sample begins where the previous one was taken.
  uint64_t timeSince(const Input &input, const StackSample &sample) const;
  llvm::Error readAhead(Input &input);
  Module moduleFor(const RecordedModule &theirs);
  /// Our id for a section of one of our modules; a new one gets `preferred` if that is free, and is
  /// declared.
  int32_t sectionFor(size_t module, llvm::StringRef name, int32_t preferred);
  void renumberSections(const Input &input, RecordBatch &batch);
  llvm::Error takeOverColumns(Input &input);
  void placeColumns(const Input &input, RecordBatch &batch);
  uint64_t idFor(const RecordedModule &module) const;
  /// Adds the part's declarations since the last call.
  llvm::Error takeOver(Input &input);
  llvm::Error takeOverStacks(Input &input);
  llvm::Error takeOverStreams(Input &input);
  llvm::Error takeOverSwitches(Input &input);
  void takeOverPhases(Input &input);

  std::vector<Input> parts_;
  size_t current_ = 0;
  /// By module and name. No two have the same id: a mapping may not distinguish modules.
  std::map<std::pair<size_t, std::string>, int32_t> sections_;
  std::set<int32_t> sectionIds_;
  int32_t nextSectionId_ = firstSectionId;
  bool hasTooManySections_ = false;
  std::vector<uint64_t> times_;
  std::vector<int32_t> ids_;
  SideColumns beside_;
  /// The number of memories in heap events.
  uint32_t memories_ = 0;
  std::vector<RecordNote> notes_;
};

} // namespace warpo

#endif
