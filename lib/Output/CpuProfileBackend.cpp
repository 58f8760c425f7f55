//===- CpuProfileBackend.cpp - Profiles for Chrome's DevTools -------------===//
// SPDX-License-Identifier: Apache-2.0
//
//   file := {"nodes": [{"id", "callFrame": {"functionName", "scriptId", "url", "lineNumber",
//            "columnNumber"}, "hitCount", "children": [id]}], "startTime": 0, "endTime",
//            "samples": [id], "timeDeltas": [microseconds]}
//
// Ids count from 1, the root. Lines and columns count from 0, -1 if nobody knows. A sample lasts
// until the next one, a delta is the time before a sample: so there is a last sample of the root,
// without which nobody would get the time of the one before.
//
//===----------------------------------------------------------------------===//

#include "profile/ContextList.h"
#include "profile/ReaderLimits.h"
#include "text/JsonText.h"
#include "warpo/Output/Quantities.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace warpo;

// What DevTools and others take for something else than a function gets a `_` in front.
static std::string functionName(StringRef name) {
  static constexpr StringLiteral special[] = {"(root)", "(program)", "(idle)",
                                              "(garbage collector)"};
  return (Twine(llvm::is_contained(special, name) ? "_" : "") + name).str();
}

namespace {

class CpuProfileWriter {
public:
  CpuProfileWriter(const ContextList &list, raw_ostream &os)
      : list_(list), weight_(list.shown()), os_(os), lastCallee_(list.contexts().size() + 1),
        previousSibling_(list.contexts().size()) {
    for (const Frame &frame : list.frames())
      callFrames_.push_back(callFrame(functionName(frame.name), frame));
    // Callees stand behind their callers in descending order, so that a list grows at its head.
    for (size_t i = list.contexts().size(); i-- > 0;) {
      uint32_t &head = lastCallee_[rowOf(list.contexts()[i].caller)];
      previousSibling_[i] = head;
      head = uint32_t(i + 1);
    }
  }

  void write() {
    os_ << "{\"nodes\":[\n";
    writeNode(0, callFrame("(root)", Frame()), /*hits=*/0);
    for (size_t i = 0; i < list_.contexts().size(); ++i) {
      os_ << ",\n";
      writeNode(i + 1, callFrames_[list_.contexts()[i].frame], weight_.self[i] > 0);
    }
    os_ << "],\n\"startTime\":0,\n\"endTime\":" << microseconds(weight_.total)
        << ",\n\"samples\":[";
    for (size_t i = 0; i < list_.contexts().size(); ++i)
      if (weight_.self[i] > 0)
        os_ << idOf(i + 1) << ",\n";
    os_ << idOf(0) << "],\n\"timeDeltas\":[0";
    writeDeltas();
    os_ << "]}\n";
  }

private:
  // The root, then the contexts.
  static size_t rowOf(uint32_t caller) {
    return caller == ListedContext::noCaller ? 0 : size_t(caller) + 1;
  }
  static size_t idOf(size_t row) { return row + 1; }

  static std::string callFrame(StringRef name, const Frame &frame) {
    StringRef url = frame.file.empty() ? StringRef(frame.module) : StringRef(frame.file);
    return "{\"functionName\":" + jsonString(name) +
           ",\"scriptId\":\"0\",\"url\":" + jsonString(url) +
           ",\"lineNumber\":" + std::to_string(int64_t(frame.line) - 1) + ",\"columnNumber\":-1}";
  }

  void writeNode(size_t row, StringRef callFrame, unsigned hits) {
    os_ << "{\"id\":" << idOf(row) << ",\"callFrame\":" << callFrame << ",\"hitCount\":" << hits
        << ",\"children\":[";
    StringRef separator;
    for (size_t callee = lastCallee_[row]; callee != 0; callee = previousSibling_[callee - 1]) {
      os_ << separator << idOf(callee);
      separator = ",";
    }
    os_ << "]}";
  }

  // A count of calls is shown as if each took a microsecond.
  uint64_t microseconds(uint64_t weight) const {
    return weight_.isNanoseconds() ? weight / 1000 : weight;
  }

  // Microseconds are whole numbers: what one sample's delta leaves over goes to the next.
  void writeDeltas() {
    uint64_t end = 0;
    uint64_t written = 0;
    for (uint64_t self : weight_.self) {
      if (self == 0)
        continue;
      end += self;
      os_ << ",\n" << microseconds(end) - written;
      written = microseconds(end);
    }
  }

  const ContextList &list_;
  const WeightColumn &weight_;
  raw_ostream &os_;
  std::vector<std::string> callFrames_;
  /// Rows of the first callee and of the next sibling; 0 if there is none.
  std::vector<uint32_t> lastCallee_;
  std::vector<uint32_t> previousSibling_;
};

class CpuProfileBackend : public ProfileBackend {
public:
  StringRef extension() const override { return ".cpuprofile"; }
  bool isBinary() const override { return false; }

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
