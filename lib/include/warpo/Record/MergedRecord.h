//===- MergedRecord.h - Several records as one ----------------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_RECORD_MERGEDRECORD_H
#define WARPO_RECORD_MERGEDRECORD_H

#include "warpo/Record/RecordFormat.h"
#include <unordered_map>

namespace warpo {

/// The records of threads or processes that ran at the same time and wrote a file each. Its clock
/// counts nanoseconds from the start of the record that began first, by what each says of the time
/// of day; a record that does not say it begins then, too. Streams are called by their record.
/// Modules of several records are the same if id, name and hash are; another module of a known id
/// gets another id. Phases of one record stand together, under its name.
class MergedRecord : public RecordSource {
public:
  struct Part {
    std::unique_ptr<RecordReader> reader;
    /// What to call its streams.
    std::string name;
    /// Of its clock.
    TimeScale scale;
  };
  /// `parts` has at least one. Fails if they have no clock in common: one has no time, or several
  /// count something, such as fuel, by different costs.
  static llvm::Expected<std::unique_ptr<MergedRecord>> create(std::vector<Part> parts);

  /// Names of the parts that do not say when they began.
  std::vector<std::string> unaligned() const;

  llvm::Expected<bool> next(RecordBatch &batch) override;
  /// The mean of those that state it: machines and clocks are mostly the same.
  ProbeCost probe() const override;
  std::string placeOf(size_t index) const override {
    return parts_[current_].reader->placeOf(index);
  }
  uint64_t bytesRead() const override;
  std::optional<uint64_t> inputSize() const override;

private:
  struct Module {
    /// Its place in our header.
    size_t index;
    /// Whether its functions are taken from this part.
    bool isOwner;
  };
  /// A part, and what it has declared. Modules are ours at once, so that names are known before
  /// the first batch; the rest once the batch that needs it has been read, and, for phases, once
  /// it is known where the part's clock lies in ours.
  struct Input : Part, DeclarationObserver {
    Input(Part part, MergedRecord &merged) : Part(std::move(part)), merged(merged) {}

    void declareModule(size_t index, const RecordedModule &module,
                       llvm::ArrayRef<RecordedModule::Function> added) override;
    void declarePlaces(size_t index, const RecordedModule &module) override;
    void declareStream(StreamIndex index, const StreamInfo &stream) override;
    void declareStack(uint32_t, const RecordedStack &stack) override { newStacks.push_back(stack); }
    void declarePhase(const RecordedPhase &phase) override { phases.push_back(phase); }
    void declareSwitch(const RecordedSwitch &change) override { newSwitches.push_back(change); }
    /// What the module that its record calls `id` is called here.
    uint64_t moduleIdOf(uint64_t id) const;
    ModuleWindow windowOf(ModuleWindow theirs) const;

    MergedRecord &merged;
    /// A count of its clock, and where that lies in our time.
    uint64_t origin = 0;
    uint64_t offset = 0;
    /// Both are known.
    bool isPlaced = false;
    RecordBatch batch;
    /// The batch has been read and not handed on.
    bool isWaiting = false;
    bool atEnd = false;
    uint64_t lastTime = 0;
    /// Ours, by theirs.
    std::vector<StreamIndex> streams;
    std::vector<Module> modules;
    std::unordered_map<uint64_t, uint64_t> moduleIds;
    std::vector<uint32_t> stacks{0};
    std::vector<ColumnIndex> columns;
    std::vector<StreamInfo> newStreams;
    std::vector<RecordedStack> newStacks;
    std::vector<RecordedPhase> phases;
    std::vector<RecordedSwitch> newSwitches;
    /// Ours, by theirs: no two parts share a memory.
    std::unordered_map<uint32_t, uint32_t> memories;
  };

  MergedRecord() = default;
  llvm::Error add(Part part);
  void place(Input &input);
  uint64_t timeOf(const Input &input, uint64_t time) const;
  /// Rounded as times are, so that a sample begins where the one before it was taken.
  uint64_t timeSince(const Input &input, const StackSample &sample) const;
  llvm::Error readAhead(Input &input);
  Module moduleFor(const RecordedModule &theirs);
  llvm::Error takeOverColumns(Input &input);
  void placeColumns(const Input &input, RecordBatch &batch);
  uint64_t idFor(const RecordedModule &module) const;
  /// Takes over what the part has declared since last time.
  llvm::Error takeOver(Input &input);
  llvm::Error takeOverStacks(Input &input);
  llvm::Error takeOverStreams(Input &input);
  llvm::Error takeOverSwitches(Input &input);
  void takeOverPhases(Input &input);

  std::vector<Input> parts_;
  size_t current_ = 0;
  std::vector<uint64_t> times_;
  SideColumns beside_;
  /// How many memories heap events are of.
  uint32_t memories_ = 0;
  std::vector<RecordNote> notes_;
};

} // namespace warpo

#endif
