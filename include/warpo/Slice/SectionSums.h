//===- SectionSums.h - What a program's sections took ---------------------===//

#ifndef WARPO_SLICE_SECTIONSUMS_H
#define WARPO_SLICE_SECTIONSUMS_H

#include "warpo/Slice/SampleTree.h"
#include <string>

namespace warpo {

/// All that happened within the sections of a name, those within themselves counted once.
struct SectionSum {
  std::string name;
  /// Nothing if samples are all that is known.
  std::optional<uint64_t> calls;
  /// In counts of the record's clock.
  uint64_t time = 0;
  std::optional<uint64_t> fuel;
};

/// Takes a whole record: its calls or, where it has none, its samples. Calls of the host, and those
/// deeper than a profile would have them, do not count.
class SectionSums : public EventSink {
public:
  /// Both must outlive this.
  SectionSums(FunctionTable &functions, const RecordHeader &header)
      : functions_(functions), header_(header), calls_(functions, CallTreeOptions()),
        samples_(functions, CallTreeOptions()) {}

  llvm::Error events(const EventBatch &batch) override;
  llvm::Error samples(const SampleBatch &batch) override;
  llvm::Error finish() override { return llvm::Error::success(); }

  /// In the order in which the names were first met.
  std::vector<SectionSum> take() const;

private:
  FunctionTable &functions_;
  const RecordHeader &header_;
  CallTreeBuilder calls_;
  SampleTree samples_;
};

} // namespace warpo

#endif
