//===- SectionSums.h - What a program's sections took ---------------------===//

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
  std::optional<uint64_t> fuel;
};

/// Takes a whole record: its calls or, where it has none, its samples. Calls of the host do not
/// count. How deep sections lie in each other does not matter.
class SectionSums : public EventSink {
public:
  /// Both must outlive this.
  SectionSums(FunctionTable &functions, const RecordHeader &header)
      : functions_(functions), header_(header) {}

  llvm::Error events(const EventBatch &batch) override;
  llvm::Error samples(const SampleBatch &batch) override;
  llvm::Error finish() override { return llvm::Error::success(); }

  /// Of each run that has sections, by the name that its phases have (RecordedPhase::run), in the
  /// order in which their names were first met. Those of no run with phases have an empty name.
  std::map<std::string, std::vector<SectionSum>> take();

private:
  using SectionIndex = uint32_t;
  struct Sum {
    uint64_t calls = 0;
    uint64_t time = 0;
    uint64_t fuel = 0;

    void add(const Sum &other);
  };
  using Sums = std::map<SectionIndex, Sum>;
  /// By stack, what its samples saw; their number stands for that of calls.
  using StackSums = std::unordered_map<uint32_t, Sum>;
  struct Open {
    SectionIndex section;
    uint64_t time;
    uint64_t fuel;
  };
  struct Stream {
    std::vector<Open> open;
    /// How many of each are open.
    std::unordered_map<SectionIndex, size_t> depth;
    Sums sums;
    /// What was burnt up to now, once that is known.
    std::optional<uint64_t> fuel;
  };

  /// Of a function that is no section, notASection.
  SectionIndex sectionOf(FunctionIndex function);
  void setFuel(Stream &stream, uint64_t fuel);
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
  bool hasFuel_ = false;
};

} // namespace warpo

#endif
