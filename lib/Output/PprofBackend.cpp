//===- PprofBackend.cpp - Profiles for pprof ------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// A gzip file of one protobuf message, pprof/profile.proto. Concatenated pieces of a message are
// merged by readers, so it is written piece by piece and never held in memory as a whole.
//
//===----------------------------------------------------------------------===//

#include "pprof/GzipStream.h"
#include "pprof/profile.pb.h"
#include "profile/ReaderLimits.h"
#include "warpo/Profile/HeapProfile.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"

using namespace llvm;
using namespace warpo;

// pprof holds all stacks in memory, at about 45 bytes per frame: this is a gigabyte. It does not
// limit their depth.
static constexpr uint64_t maxFrames = 20'000'000;
static constexpr uint32_t maxDepth = std::numeric_limits<uint32_t>::max();
static constexpr size_t samplesAPiece = 256;
static constexpr uint64_t maxValue = std::numeric_limits<int64_t>::max();

namespace {

class PprofWriter {
public:
  PprofWriter(const ContextList &list, const Profile &profile, raw_ostream &os)
      : list_(list), profile_(profile), gzip_(os) {
    stringOf("");
    // By convention counts come first, followed by costs.
    for (bool counts : {true, false})
      for (const WeightColumn &weight : list.weights())
        if ((weight.name == weight.unit) == counts)
          weights_.push_back(&weight);
    // Heap weights are in Go's order.
    if (isHeapWeight(list.shown().name))
      llvm::sort(weights_, [](const WeightColumn *a, const WeightColumn *b) {
        return std::pair(llvm::find(heapWeights, a->name), a) <
               std::pair(llvm::find(heapWeights, b->name), b);
      });
  }

  Error write() {
    if (Error error = writeSamples())
      return error;
    addTypes();
    addFunctions();
    for (const std::string &text : strings_)
      piece_.add_string_table(text);
    if (Error error = flush())
      return error;
    return gzip_.finish();
  }

private:
  int64_t stringOf(StringRef text) {
    auto [entry, isNew] = stringIndex_.try_emplace(text, int64_t(strings_.size()));
    if (isNew)
      strings_.push_back(text.str());
    return entry->second;
  }

  Error flush() {
    std::string bytes = piece_.SerializeAsString();
    piece_.Clear();
    return gzip_.write(bytes);
  }

  Error writeSamples() {
    ArrayRef<ListedContext> contexts = list_.contexts();
    // Numbers of the frames' locations, which start at 1; outermost first.
    std::vector<uint64_t> stack;
    for (size_t i = 0; i < contexts.size(); ++i) {
      stack.resize(contexts[i].depth - 1);
      stack.push_back(contexts[i].frame + 1);
      if (llvm::all_of(weights_, [&](const WeightColumn *weight) { return weight->self[i] == 0; }))
        continue;
      pprof::Sample &sample = *piece_.add_sample();
      sample.mutable_location_id()->Assign(stack.rbegin(), stack.rend());
      for (const WeightColumn *weight : weights_)
        sample.add_value(int64_t(std::min(weight->self[i], maxValue)));
      if (size_t(piece_.sample_size()) == samplesAPiece)
        if (Error error = flush())
          return error;
    }
    return Error::success();
  }

  void setType(pprof::ValueType &type, StringRef name, StringRef unit) {
    type.set_type(stringOf(name));
    bool isCount = unit == name || unit == "objects";
    type.set_unit(stringOf(unit == "ns" ? "nanoseconds" : isCount ? "count" : unit));
  }

  void addTypes() {
    for (const WeightColumn *weight : weights_)
      setType(*piece_.add_sample_type(), weight->name, weight->unit);
    piece_.set_default_sample_type(stringOf(list_.shown().name));
    if (const auto &period = profile_.samplePeriod) {
      setType(*piece_.mutable_period_type(), period->name, period->unit);
      piece_.set_period(int64_t(std::min(period->amount, maxValue)));
    }
    piece_.add_comment(stringOf(profile_.isSampled() || profile_.samplePeriod
                                    ? "written by warpo"
                                    : "written by warpo: exact sums, not samples"));
  }

  /// The number of a function and the file of its lines, which differs from the function's own file
  /// for included code.
  uint64_t functionOf(const Frame &frame, uint32_t function) {
    StringRef file = frame.executedLine != 0 ? frame.executedFile : frame.file;
    auto [entry, isNew] =
        functionNumbers_.try_emplace(std::pair(function, stringOf(file)), functionNumbers_.size());
    uint64_t id = entry->second + 1;
    if (!isNew)
      return id;
    pprof::Function &added = *piece_.add_function();
    added.set_id(id);
    added.set_name(stringOf(frame.name));
    added.set_system_name(stringOf(frame.name));
    added.set_filename(stringOf(file));
    added.set_start_line(file == frame.file ? frame.line : 0);
    return id;
  }

  void addFunctions() {
    // By module the number of its mapping, from 1 on.
    MapVector<StringRef, uint64_t> mappings;
    bool haveFiles = false;
    std::vector<uint32_t> functions = list_.functions();
    for (const auto &[index, frame] : enumerate(list_.frames())) {
      uint64_t id = index + 1;
      uint64_t function = functionOf(frame, functions[index]);
      haveFiles |= !frame.file.empty() || frame.executedLine != 0;
      // A module without a name gets the profile's title: pprof shows it as the program.
      StringRef module = frame.module.empty() ? list_.title() : StringRef(frame.module);
      uint64_t mapping = mappings.try_emplace(module, mappings.size() + 1).first->second;
      pprof::Location &location = *piece_.add_location();
      location.set_id(id);
      location.set_mapping_id(mapping);
      pprof::Line &line = *location.add_line();
      line.set_function_id(function);
      line.set_line(frame.executedLine != 0 ? frame.executedLine : frame.line);
    }
    for (const auto &[name, id] : mappings) {
      pprof::Mapping &mapping = *piece_.add_mapping();
      mapping.set_id(id);
      mapping.set_filename(stringOf(name));
      // Keeps pprof from looking for symbols elsewhere.
      mapping.set_has_functions(true);
      mapping.set_has_filenames(haveFiles);
      mapping.set_has_line_numbers(haveFiles);
    }
  }

  const ContextList &list_;
  const Profile &profile_;
  GzipStream gzip_;
  std::vector<const WeightColumn *> weights_;
  pprof::Profile piece_;
  StringMap<int64_t> stringIndex_;
  std::vector<std::string> strings_;
  /// By the function's first frame and the file's string; one less than the id in the file.
  DenseMap<std::pair<uint32_t, int64_t>, uint64_t> functionNumbers_;
};

class PprofBackend : public ProfileBackend {
public:
  StringRef extension() const override { return ".pb.gz"; }
  bool isBinary() const override { return true; }
  bool showsLines() const override { return true; }

  Error write(const Profile &profile, raw_ostream &os) override {
    ContextList list(profile);
    addNotes(cutStacks(list, maxDepth, maxFrames, "pprof would need too much memory"));
    if (Error error = PprofWriter(list, profile, os).write())
      return error;
    addNotes(notesOfLargeTotals(
        list, maxValue,
        "more than pprof can add up: larger values are written as 9,223,372,036,854,775,807"));
    return Error::success();
  }
};

warpo::Registry<ProfileBackend>::Add<PprofBackend>
    registration("pprof", "for go tool pprof, Pyroscope, Parca; all weights in one file");

} // namespace
