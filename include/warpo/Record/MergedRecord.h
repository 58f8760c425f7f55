//===- MergedRecord.h - Several records as one ----------------------------===//

#ifndef WARPO_RECORD_MERGEDRECORD_H
#define WARPO_RECORD_MERGEDRECORD_H

#include "warpo/Record/RecordFormat.h"
#include <map>

namespace warpo {

/// The records of threads or processes that ran at the same time and wrote a file each. Its clock
/// counts nanoseconds from the start of the record that began first, by what each says of the time
/// of day; a record that does not say it begins then, too. Streams are called by their record.
/// Modules of several records are the same if id, name and hash are; another module of a known id
/// gets another id. Phases of one record stand together, under its name.
class MergedRecord : public RecordReader {
public:
  struct Part {
    std::unique_ptr<RecordReader> reader;
    /// What to call its streams.
    std::string name;
    /// Of its clock.
    TimeScale scale;
  };
  /// `parts` has at least one. Fails if they have no clock in common: one has fuel alone, or
  /// several count fuel by different costs.
  static llvm::Expected<std::unique_ptr<MergedRecord>> create(std::vector<Part> parts);

  /// Names of the parts that do not say when they began.
  std::vector<std::string> unaligned() const;

  llvm::Expected<bool> next(RecordBatch &batch) override;
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
  struct Input : Part {
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
    std::vector<StreamIndex> streams;
    std::vector<Module> modules;
    std::vector<uint32_t> stacks;
  };

  MergedRecord() = default;
  llvm::Error add(Part part);
  void place(Input &input);
  uint64_t timeOf(const Input &input, uint64_t time) const;
  llvm::Error readAhead(Input &input);
  /// Takes over what the part has declared since last time.
  llvm::Error adoptHeader(Input &input);
  void adoptModules(Input &input);
  void adoptPhases(const Input &input);
  llvm::Error adoptStacks(Input &input);
  uint64_t moduleIdOf(const Input &input, uint64_t id) const;
  uint64_t idFor(const RecordedModule &module) const;

  std::vector<Input> parts_;
  size_t current_ = 0;
  std::vector<uint64_t> times_;
  std::vector<StackSample> samples_;
};

} // namespace warpo

#endif
