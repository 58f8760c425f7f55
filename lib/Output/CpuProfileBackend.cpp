//===- CpuProfileBackend.cpp - Profiles for Chrome's DevTools -------------===//
// SPDX-License-Identifier: Apache-2.0
//
//   file := {"nodes": [{"id", "callFrame": {"functionName", "scriptId", "url", "lineNumber",
//            "columnNumber"}, "hitCount", "children": [id], "positionTicks": [{"line",
//            "ticks"}]?}], "startTime": 0, "endTime", "samples": [id], "timeDeltas":
//            [microseconds]}
//
// Ids count from 1, the root. Lines and columns count from 0; -1 is unknown. A sample lasts until
// the next one, and a delta is the time before a sample: so there is a last sample of the root,
// without which the time of the previous one would be lost. If lines are known, hits and ticks,
// whose lines count from 1, are the true numbers of samples.
//
//===----------------------------------------------------------------------===//

#include "profile/ContextList.h"
#include "profile/ReaderLimits.h"
#include "text/JsonText.h"
#include "warpo/Output/Quantities.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"
#include <map>
#include <utility>

using namespace llvm;
using namespace warpo;

// Names that DevTools and other readers treat specially get the prefix `_`.
static std::string functionName(StringRef name) {
  static constexpr StringLiteral special[] = {"(root)", "(program)", "(idle)",
                                              "(garbage collector)"};
  return (Twine(llvm::is_contained(special, name) ? "_" : "") + name).str();
}

namespace {

class CpuProfileWriter {
public:
  CpuProfileWriter(const ContextList &list, raw_ostream &os)
      : list_(list), weight_(list.shown()), os_(os) {
    for (const Frame &frame : list.frames())
      callFrames_.push_back(callFrame(functionName(frame.name), frame));
    nodes_.emplace_back();
    addContexts();
    // Callees follow their callers in descending order, so each list grows at its head.
    for (size_t i = nodes_.size(); i-- > 1;)
      nodes_[i].nextSibling = std::exchange(nodes_[nodes_[i].caller].firstCallee, uint32_t(i));
  }

  void write() {
    os_ << "{\"nodes\":[\n";
    writeNode(0, callFrame("(root)", Frame()));
    for (size_t i = 1; i < nodes_.size(); ++i) {
      os_ << ",\n";
      writeNode(i, callFrames_[nodes_[i].frame]);
    }
    os_ << "],\n\"startTime\":0,\n\"endTime\":" << microseconds(weight_.total)
        << ",\n\"samples\":[";
    for (size_t i = 1; i < nodes_.size(); ++i)
      if (nodes_[i].self > 0)
        os_ << idOf(i) << ",\n";
    os_ << idOf(0) << "],\n\"timeDeltas\":[0";
    writeDeltas();
    os_ << "]}\n";
  }

private:
  /// The root, or contexts that differ only in the lines of their functions.
  struct Node {
    uint32_t caller = 0;
    uint32_t frame = 0;
    uint64_t self = 0;
    uint64_t samples = 0;
    /// 0 if there is none.
    uint32_t firstCallee = 0, nextSibling = 0;
  };

  void addContexts() {
    ArrayRef<Frame> frames = list_.frames();
    std::vector<uint32_t> functions = list_.functions();
    DenseMap<std::pair<uint32_t, uint32_t>, uint32_t> known;
    std::vector<uint32_t> nodeOf;
    auto samples =
        find_if(list_.weights(), [](const WeightColumn &each) { return each.name == "samples"; });
    hasLines_ = samples != list_.weights().end() &&
                any_of(frames, [](const Frame &frame) { return frame.executedLine != 0; });
    for (const auto &[i, context] : enumerate(list_.contexts())) {
      const Frame &frame = frames[context.frame];
      uint32_t caller = context.caller == ListedContext::noCaller ? 0 : nodeOf[context.caller];
      uint32_t function = functions[context.frame];
      auto number = uint32_t(nodes_.size());
      if (hasLines_)
        number = known.try_emplace({caller, function}, number).first->second;
      if (number == nodes_.size())
        nodes_.push_back({.caller = caller, .frame = hasLines_ ? function : context.frame});
      nodeOf.push_back(number);
      Node &node = nodes_[number];
      node.self = SaturatingAdd(node.self, weight_.self[i]);
      if (!hasLines_ || samples->self[i] == 0)
        continue;
      node.samples += samples->self[i];
      // Lines must be in the node's file.
      if (frame.executedLine != 0 && frame.executedFile == frame.file)
        ticks_[{number, frame.executedLine}] += samples->self[i];
    }
  }

  static size_t idOf(size_t node) { return node + 1; }

  static std::string callFrame(StringRef name, const Frame &frame) {
    StringRef url = frame.file.empty() ? StringRef(frame.module) : StringRef(frame.file);
    return "{\"functionName\":" + jsonString(name) +
           ",\"scriptId\":\"0\",\"url\":" + jsonString(url) +
           ",\"lineNumber\":" + std::to_string(int64_t(frame.line) - 1) + ",\"columnNumber\":-1}";
  }

  void writeNode(size_t index, StringRef callFrame) {
    const Node &node = nodes_[index];
    os_ << "{\"id\":" << idOf(index) << ",\"callFrame\":" << callFrame
        << ",\"hitCount\":" << (hasLines_ ? node.samples : node.self > 0) << ",\"children\":[";
    ListSeparator comma(",");
    for (uint32_t callee = node.firstCallee; callee != 0; callee = nodes_[callee].nextSibling)
      os_ << comma << idOf(callee);
    os_ << ']';
    auto tick = ticks_.lower_bound({uint32_t(index), 0});
    StringRef before = ",\"positionTicks\":[";
    for (; tick != ticks_.end() && tick->first.first == index; ++tick, before = ",")
      os_ << before << "{\"line\":" << tick->first.second << ",\"ticks\":" << tick->second << '}';
    if (before == ",")
      os_ << ']';
    os_ << '}';
  }

  // Counts of calls are shown as if each took a microsecond.
  uint64_t microseconds(uint64_t weight) const {
    return weight_.isNanoseconds() ? weight / 1000 : weight;
  }

  // Deltas are whole microseconds; the remainder is added to the next sample.
  void writeDeltas() {
    uint64_t end = 0;
    uint64_t written = 0;
    for (const Node &node : ArrayRef(nodes_).drop_front()) {
      if (node.self == 0)
        continue;
      end += node.self;
      os_ << ",\n" << microseconds(end) - written;
      written = microseconds(end);
    }
  }

  const ContextList &list_;
  const WeightColumn &weight_;
  raw_ostream &os_;
  std::vector<std::string> callFrames_;
  /// The root, then each node after its caller.
  std::vector<Node> nodes_;
  bool hasLines_ = false;
  std::map<std::pair<uint32_t, uint32_t>, uint64_t> ticks_;
};

class CpuProfileBackend : public ProfileBackend {
public:
  StringRef extension() const override { return ".cpuprofile"; }
  bool isBinary() const override { return false; }
  bool showsLines() const override { return true; }

  Error write(const Profile &profile, raw_ostream &os) override {
    ContextList list(profile);
    CpuProfileWriter(list, os).write();
    const WeightColumn &weight = list.shown();
    if (weight.isNanoseconds())
      addNote("times are rounded to microseconds, which is all that the format has");
    else
      addNote(("the format has only times: each of the " +
               Twine(formatWeight(weight.total, weight.unit)) + " is shown as a microsecond")
                  .str());
    addNotes(notesOfLargeTotals(list, maxExactDouble, "more than DevTools shows without rounding"));
    return Error::success();
  }
};

warpo::Registry<ProfileBackend>::Add<CpuProfileBackend>
    registration("cpuprofile", "for Chrome's DevTools and VS Code");

} // namespace
