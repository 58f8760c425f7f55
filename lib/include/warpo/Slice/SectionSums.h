//===- SectionSums.h - What a program's sections took ---------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_SLICE_SECTIONSUMS_H
#define WARPO_SLICE_SECTIONSUMS_H

#include "warpo/Record/RecordFormat.h"
#include "warpo/Slice/Event.h"
#include "llvm/ADT/StringMap.h"
#include <map>
#include <optional>
#include <string>
#include <unordered_map>

namespace warpo {

/// All that happened within the sections of a name, those within themselves counted once.
struct SectionSum {
  std::string name;
  /// Nothing if samples are all that is known.
  std::optional<uint64_t> calls;
  /// In counts of the record's clock.
  uint64_t time = 0;
  /// By measure, but for time; nothing where that is not known.
  std::array<std::optional<uint64_t>, maxMeasures> amounts = {};
};

/// Takes a whole record: its calls or, where it has none, its samples. Calls of the host do not
/// count. How deep sections lie in each other does not matter.
class SectionSums : public EventSink {
public:
  /// Both must outlive this.
  SectionSums(FunctionTable &functions, const RecordHeader &header)
      : functions_(functions), header_(header) {}

  llvm::Error events(const EventBatch &batch) override;
  llvm::Error beside(const SideBatch &batch) override;
  llvm::Error finish() override { return llvm::Error::success(); }

  /// Of each run that has sections, by the name that its phases have (RecordedPhase::run), in the
  /// order in which their names were first met. Those of no run with phases have an empty name.
  std::map<std::string, std::vector<SectionSum>> take();

private:
  using SectionIndex = uint32_t;
  struct Sum {
    uint64_t calls = 0;
    uint64_t time = 0;
    Counts counts = {};

    void add(const Sum &other);
  };
  using Sums = std::map<SectionIndex, Sum>;
  /// By stack, what its samples saw; their number stands for that of calls.
  using StackSums = std::unordered_map<uint32_t, Sum>;
  struct Open {
    SectionIndex section;
    uint64_t time;
    Counts counts;
  };
  struct Stream {
    std::vector<Open> open;
    /// How many of each are open.
    std::unordered_map<SectionIndex, size_t> depth;
    Sums sums;
    /// What the columns are known to stand at, and which are known.
    Counts counts = {};
    ColumnSet columns;
  };

  /// Of a function that is no section, notASection.
  SectionIndex sectionOf(FunctionIndex function);
  void setCount(Stream &stream, ColumnIndex column, uint64_t count);
  void take(Stream &stream, const Event &event, SectionIndex section);
  Sums sumsOfStacks(const StackSums &samples);

  static constexpr SectionIndex notASection = UINT32_MAX;
  static constexpr SectionIndex unresolved = UINT32_MAX - 1;

  FunctionTable &functions_;
  const RecordHeader &header_;
  std::vector<SectionIndex> sectionOfFunction_;
  /// Sections of one name are one.
  llvm::StringMap<SectionIndex> sectionOfName_;
  std::vector<std::string> names_;
  std::map<StreamIndex, Stream> streams_;
  std::map<StreamIndex, StackSums> samples_;
  bool hasCalls_ = false;
  ColumnSet columns_;
};

} // namespace warpo

#endif
