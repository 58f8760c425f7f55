//===- CallgrindBackend.cpp - Profiles for KCachegrind --------------------===//
// SPDX-License-Identifier: Apache-2.0
//
//   file     := "# callgrind format\n" header* "\n" function* "totals: " costs "\n"
//   function := "ob=" name "\n" "fl=" name "\n" "fn=" name "\n" cost call*
//   cost     := (("fi=" | "fe=") name "\n")? position " " costs "\n"
//   call     := "cob=" name "\n" "cfi=" name "\n" "cfn=" name "\n"
//               "calls=" count " " position "\n" cost
//   name     := "(" number ")" (" " text)?      the text where the number is new
// position := line, 0 if unknown
//   costs    := one number for each event, the weight that is shown first
//
// If the number of calls is unknown, as for samples, the count is 1. A function occurs once for
// each of its executed lines. If a line is in another file, `fi` switches to that file and `fe`
// back.
//
// Readers add up the costs of a function's calls to get its inclusive cost. That would count a
// recursive function's time again at each level, so levels of recursion are functions of their own,
// `f'2`.
//
//===----------------------------------------------------------------------===//

#include "profile/FunctionGraph.h"
#include "profile/ReaderLimits.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <map>

using namespace llvm;
using namespace warpo;

namespace {

/// The names of one kind, each written once. Each gets a number, because the name `(2) f` written
/// plainly would be read as number 2.
class NumberedNames {
public:
  void write(raw_ostream &os, const Twine &name) {
    std::string text = name.str();
    auto [entry, isNew] = numbers_.try_emplace(text, numbers_.size() + 1);
    os << '(' << entry->second << ')';
    if (isNew)
      os << ' ' << text;
    os << '\n';
  }

private:
  StringMap<size_t> numbers_;
};

class CallgrindWriter {
public:
  CallgrindWriter(const ContextList &list, raw_ostream &os)
      : list_(list), graph_(makeFunctionGraph(list, /*separateRecursion=*/true)), os_(os) {}

  void write() {
    writeHeader();
    ArrayRef<FunctionGraph::Arc> arcs = graph_.arcs;
    for (uint32_t node = 0; node < graph_.nodes.size(); ++node) {
      const Frame &frame = frameOf(graph_.nodes[node]);
      writeName(graph_.nodes[node], "ob", "fl", "fn");
      enterFile(frame);
      writeCosts(frame, graph_.nodes[node].self);
      ArrayRef<FunctionGraph::Arc> own =
          arcs.take_while([=](const FunctionGraph::Arc &arc) { return arc.caller == node; });
      arcs = arcs.drop_front(own.size());
      for (const FunctionGraph::Arc &arc : callsByFunction(own))
        writeCall(arc);
      leaveFile(frame);
      os_ << '\n';
    }
    os_ << "totals:";
    writeTotals();
  }

private:
  void writeHeader() {
    os_ << "# callgrind format\nversion: 1\ncreator: warpo\ncmd: " << list_.title()
        << "\npositions: line\n";
    for (const WeightColumn &weight : list_.weights()) {
      os_ << "event: " << weight.name << " : " << weight.name;
      if (weight.unit != weight.name)
        os_ << " in " << weight.unit;
      os_ << '\n';
    }
    os_ << "events:";
    for (const WeightColumn &weight : list_.weights())
      os_ << ' ' << weight.name;
    os_ << "\nsummary:";
    writeTotals();
    os_ << '\n';
  }

  void writeTotals() {
    for (const WeightColumn &weight : list_.weights())
      os_ << ' ' << weight.total;
    os_ << '\n';
  }

  const Frame &frameOf(const FunctionGraph::Node &node) { return list_.frames()[node.frame]; }

  void writeName(const FunctionGraph::Node &node, StringRef object, StringRef file,
                 StringRef function) {
    const Frame &frame = frameOf(node);
    os_ << object << '=';
    objects_.write(os_, frame.module.empty() ? "???" : frame.module);
    os_ << file << '=';
    files_.write(os_, fileOf(frame));
    os_ << function << '=';
    if (node.level == 1)
      functions_.write(os_, frame.name);
    else
      functions_.write(os_, Twine(frame.name) + "'" + Twine(node.level));
  }

  // One reader distinguishes functions with the same name only by their files.
  static StringRef fileOf(const Frame &frame) {
    if (!frame.file.empty())
      return frame.file;
    return frame.module.empty() ? StringRef("???") : StringRef(frame.module);
  }

  void writeCosts(const Frame &at, const WeightSums &costs) {
    os_ << (at.executedLine != 0 ? at.executedLine : at.line);
    for (uint64_t cost : costs)
      os_ << ' ' << cost;
    os_ << '\n';
  }

  /// Positions from here on are in the file that the frame was executing.
  void enterFile(const Frame &at) { switchFile(at, "fi=", at.executedFile); }
  void leaveFile(const Frame &at) { switchFile(at, "fe=", fileOf(at)); }
  void switchFile(const Frame &at, StringRef how, StringRef file) {
    if (at.executedLine == 0 || at.executedFile == fileOf(at))
      return;
    os_ << how;
    files_.write(os_, file);
  }

  /// Merges the calls of the same function from several of its lines, so that they are counted
  /// once.
  std::vector<FunctionGraph::Arc> callsByFunction(ArrayRef<FunctionGraph::Arc> arcs) {
    std::vector<FunctionGraph::Arc> sums;
    std::map<std::pair<uint32_t, decltype(std::declval<const Frame &>().functionKey())>, size_t>
        sumOf;
    for (const FunctionGraph::Arc &arc : arcs) {
      const FunctionGraph::Node &callee = graph_.nodes[arc.callee];
      auto [known, isNew] =
          sumOf.try_emplace({callee.level, frameOf(callee).functionKey()}, sums.size());
      if (isNew) {
        sums.push_back(arc);
        continue;
      }
      FunctionGraph::Arc &sum = sums[known->second];
      sum.calls = SaturatingAdd(sum.calls, arc.calls);
      for (auto [cost, more] : zip_equal(sum.inclusive, arc.inclusive))
        cost = SaturatingAdd(cost, more);
    }
    return sums;
  }

  void writeCall(const FunctionGraph::Arc &arc) {
    const FunctionGraph::Node &callee = graph_.nodes[arc.callee];
    // Object and file of the previous call do not carry over.
    writeName(callee, "cob", "cfi", "cfn");
    // If there are no calls, one reader counts the callee's cost as the caller's own.
    os_ << "calls=" << std::max<uint64_t>(arc.calls, 1) << ' ' << frameOf(callee).line << '\n';
    writeCosts(frameOf(graph_.nodes[arc.caller]), arc.inclusive);
  }

  const ContextList &list_;
  FunctionGraph graph_;
  raw_ostream &os_;
  NumberedNames objects_;
  NumberedNames files_;
  NumberedNames functions_;
};

class CallgrindBackend : public ProfileBackend {
public:
  StringRef extension() const override { return ".callgrind"; }
  bool isBinary() const override { return false; }
  bool showsLines() const override { return true; }

  Error write(const Profile &profile, raw_ostream &os) override {
    ContextList list(profile);
    CallgrindWriter(list, os).write();
    addNotes(notesOfLargeTotals(list, maxExactDouble,
                                "more than callgrind_annotate shows without rounding"));
    return Error::success();
  }
};

warpo::Registry<ProfileBackend>::Add<CallgrindBackend>
    registration("callgrind", "for KCachegrind and callgrind_annotate; all weights in one file");

} // namespace
