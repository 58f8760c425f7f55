//===- SpeedscopeText.cpp -------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "SpeedscopeText.h"
#include "../text/JsonText.h"
#include "ReaderLimits.h"

using namespace llvm;
using namespace warpo;

// speedscope draws recursively.
static constexpr uint32_t maxDepth = 1000;
// speedscope reads the file as one string, which browsers limit to half a gigabyte.
static constexpr uint64_t maxFrames = 40'000'000;

// speedscope silently treats an unknown unit as none.
static StringRef unitOf(const WeightColumn &weight) {
  return weight.isNanoseconds() ? "nanoseconds" : "none";
}

static std::string nameOf(const WeightColumn &weight) {
  if (weight.isNanoseconds() || weight.unit == weight.name)
    return weight.name;
  return weight.name + " (" + weight.unit + ")";
}

namespace {

class SpeedscopeWriter {
public:
  SpeedscopeWriter(const ContextList &list, raw_ostream &os) : list_(list), os_(os) {}

  void write() {
    os_ << "{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\",\n\"name\":"
        << jsonString(list_.title()) << ",\n\"exporter\":\"warpo\",\n\"activeProfileIndex\":0,\n";
    writeFrames();
    os_ << "\"profiles\":[";
    for (const WeightColumn &weight : list_.weights()) {
      os_ << (&weight == &list_.shown() ? "\n" : ",\n");
      writeProfile(weight);
    }
    os_ << "]}\n";
  }

private:
  void writeFrames() {
    os_ << "\"shared\":{\"frames\":[";
    StringRef separator = "\n";
    for (const Frame &frame : list_.frames()) {
      os_ << separator << "{\"name\":" << jsonString(frame.name);
      // Frames of the same name, file and line are one.
      StringRef file = frame.file.empty() ? frame.module : frame.file;
      if (!file.empty())
        os_ << ",\"file\":" << jsonString(file);
      if (frame.line > 0)
        os_ << ",\"line\":" << frame.line;
      os_ << '}';
      separator = ",\n";
    }
    os_ << "]},\n";
  }

  void writeProfile(const WeightColumn &weight) {
    os_ << "{\"type\":\"sampled\",\"name\":" << jsonString(nameOf(weight)) << ",\"unit\":\""
        << unitOf(weight) << "\",\"startValue\":0,\"endValue\":" << weight.total
        << ",\n\"samples\":[";
    writeStacks(weight);
    os_ << "],\n\"weights\":[";
    StringRef separator;
    for (uint64_t self : weight.self)
      if (self > 0) {
        os_ << separator << self;
        separator = ",\n";
      }
    os_ << "]}";
  }

  void writeStacks(const WeightColumn &weight) {
    // The last stack as text, and the ends of its frames in it: the next stack shares most of it.
    std::string stack;
    std::vector<size_t> ends;
    StringRef separator;
    ArrayRef<ListedContext> contexts = list_.contexts();
    for (size_t i = 0; i < contexts.size(); ++i) {
      ends.resize(contexts[i].depth - 1);
      stack.resize(ends.empty() ? 0 : ends.back());
      if (!stack.empty())
        stack += ',';
      stack += std::to_string(contexts[i].frame);
      ends.push_back(stack.size());
      if (weight.self[i] == 0)
        continue;
      os_ << separator << '[' << stack << ']';
      separator = ",\n";
    }
  }

  const ContextList &list_;
  raw_ostream &os_;
};

} // namespace

std::vector<std::string> warpo::cutForSpeedscope(ContextList &list) {
  return cutStacks(list, maxDepth, maxFrames, "speedscope draws no deeper stacks");
}

std::vector<std::string> warpo::writeSpeedscope(ContextList list, raw_ostream &os) {
  std::vector<std::string> notes = cutForSpeedscope(list);
  for (std::string &text :
       notesOfLargeTotals(list, maxExactDouble, "more than speedscope shows without rounding"))
    notes.push_back(std::move(text));
  SpeedscopeWriter(list, os).write();
  return notes;
}
