//===- SectionSums.h - Sums of a program's sections -----------------------===//
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

/// Inclusive sums of the sections with this name; nested ones count once.
struct SectionSum {
  std::string name;
  /// Nothing if only samples are known.
  std::optional<uint64_t> calls;
  /// In counts of the record's clock.
  uint64_t time = 0;
  /// By measure, except time; nothing if unknown.
  std::array<std::optional<uint64_t>, maxMeasures> amounts = {};
};

/// Sums up a whole record: its calls or, if it has none, its samples. Calls of the host do not
/// count. Sections may be nested to any depth.
class SectionSums : public EventSink {
public:
  /// Both must outlive this.
  SectionSums(FunctionTable &functions, const RecordHeader &header)
      : functions_(functions), header_(header) {}

  llvm::Error events(const EventBatch &batch) override;
  llvm::Error beside(const SideBatch &batch) override;
  llvm::Error finish() override { return llvm::Error::success(); }

  /// The sections of each run, by the run's name as in RecordedPhase::run; in the order in which
  /// sections' names first occurred. The name is empty for streams of no run with phases.
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
  /// By stack the sums of its samples; `calls` is their number.
  using StackSums = std::unordered_map<uint32_t, Sum>;
  struct Open {
    SectionIndex section;
    uint64_t time;
    Counts counts;
  };
  struct Stream {
    std::vector<Open> open;
    /// The number of open calls of each.
    std::unordered_map<SectionIndex, size_t> depth;
    Sums sums;
    /// The last known values of the columns, and which are known.
    Counts counts = {};
    ColumnSet columns;
  };

  /// notASection for a function that is no section.
  SectionIndex sectionOf(FunctionIndex function);
  void setCount(Stream &stream, ColumnIndex column, uint64_t count);
  void take(Stream &stream, const Event &event, SectionIndex section);
  Sums sumsOfStacks(const StackSums &samples);

  static constexpr SectionIndex notASection = UINT32_MAX;
  static constexpr SectionIndex unresolved = UINT32_MAX - 1;

  FunctionTable &functions_;
  const RecordHeader &header_;
  std::vector<SectionIndex> sectionOfFunction_;
  /// Sections with equal names are one.
  llvm::StringMap<SectionIndex> sectionOfName_;
  std::vector<std::string> names_;
  std::map<StreamIndex, Stream> streams_;
  std::map<StreamIndex, StackSums> samples_;
  bool hasCalls_ = false;
  ColumnSet columns_;
};

} // namespace warpo

#endif
