//===- DotBackend.cpp - Which function calls which, for Graphviz ----------===//
// SPDX-License-Identifier: Apache-2.0
//
// A function is a box, darker and larger the more inclusive weight it has; an arrow is a call, with
// its inclusive weight. Calls within a call of the same function count once.
//
//===----------------------------------------------------------------------===//

#include "profile/FunctionGraph.h"
#include "warpo/Output/Quantities.h"
#include "warpo/Support/Utf8.h"
#include "llvm/Support/Format.h"

using namespace llvm;
using namespace warpo;

// Graphviz needs seconds for a hundred functions and minutes for a thousand, and such a picture is
// unreadable.
static constexpr size_t maxFunctions = 100;
static constexpr size_t maxArrows = 300;
// The note says how many functions are lighter.
static constexpr double minShare = 0.001;
static constexpr size_t maxNameLength = 60;

// A result of displayName() as a quoted string, in which entities and escapes are interpreted.
static std::string quoted(StringRef text) {
  std::string result;
  for (char c : text) {
    if (c == '"' || c == '\\')
      result += '\\';
    result += c;
    if (c == '&')
      result += "amp;";
  }
  return result;
}

static std::string shortened(StringRef name) {
  if (name.size() <= maxNameLength)
    return name.str();
  return (takeCharacters(name, maxNameLength) + "…").str();
}

namespace {

class DotWriter {
public:
  DotWriter(const ContextList &list, const SourceUrl &sourceUrl, raw_ostream &os)
      : list_(list), sourceUrl_(sourceUrl), weight_(list.shown()),
        graph_(makeFunctionGraph(list, false)), os_(os), isDrawn_(graph_.nodes.size()) {
    chooseFunctions();
    chooseArrows();
  }

  void write() {
    os_ << "digraph \"" << quoted(list_.title()) << "\" {\n"
        << "label=\"" << quoted(list_.title()) << ": " << formatWeight(weight_.total, weight_.unit)
        << "\";\nlabelloc=t;\nnode [shape=box, style=filled, fontname=\"sans-serif\"];\n"
        << "edge [fontname=\"sans-serif\", fontsize=10];\n";
    for (uint32_t node : functions_)
      writeFunction(node);
    for (const FunctionGraph::Arc *arc : arrows_)
      writeArrow(*arc);
    os_ << "}\n";
  }

  size_t functionsLeftOut() const { return graph_.nodes.size() - functions_.size(); }
  size_t arrowsLeftOut() const { return graph_.arcs.size() - arrows_.size(); }

private:
  uint64_t smallest() const { return uint64_t(double(weight_.total) * minShare); }

  void chooseFunctions() {
    for (uint32_t node = 0; node < graph_.nodes.size(); ++node)
      if (graph_.nodes[node].inclusive[0] >= smallest())
        functions_.push_back(node);
    llvm::sort(functions_, [&](uint32_t a, uint32_t b) {
      uint64_t weightA = graph_.nodes[a].inclusive[0], weightB = graph_.nodes[b].inclusive[0];
      return weightA != weightB ? weightA > weightB : a < b;
    });
    if (functions_.size() > maxFunctions)
      functions_.resize(maxFunctions);
    for (uint32_t node : functions_)
      isDrawn_[node] = true;
  }

  void chooseArrows() {
    for (const FunctionGraph::Arc &arc : graph_.arcs)
      if (isDrawn_[arc.caller] && isDrawn_[arc.callee] && arc.inclusive[0] >= smallest())
        arrows_.push_back(&arc);
    llvm::sort(arrows_, [](const FunctionGraph::Arc *a, const FunctionGraph::Arc *b) {
      return a->inclusive[0] != b->inclusive[0] ? a->inclusive[0] > b->inclusive[0] : a < b;
    });
    if (arrows_.size() > maxArrows)
      arrows_.resize(maxArrows);
  }

  double shareOf(uint64_t weight) const {
    return weight_.total ? std::min(1.0, double(weight) / double(weight_.total)) : 0;
  }

  std::string described(uint64_t weight) const {
    return formatWeight(weight, weight_.unit) + " (" + formatShare(weight, weight_.total) + ")";
  }

  void writeFunction(uint32_t index) {
    const FunctionGraph::Node &node = graph_.nodes[index];
    const Frame &frame = list_.frames()[node.frame];
    std::string where = frame.module.empty() ? frame.name : frame.module + ": " + frame.name;
    if (std::string place = frame.place(); !place.empty())
      where += " (" + place + ")";
    if (!frame.inlined.empty())
      where += ", " + displayInlined({frame.inlined.begin(), frame.inlined.end()});
    double share = shareOf(node.inclusive[0]);
    os_ << 'n' << index << " [label=\"" << quoted(shortened(frame.name)) << "\\n"
        << described(node.inclusive[0]) << "\\nself " << described(node.self[0]) << "\", tooltip=\""
        << quoted(where) << "\", fillcolor=\"" << format("0.06 %.3f 1.000", 0.05 + 0.5 * share)
        << "\", fontsize=" << unsigned(10 + 14 * shareOf(node.self[0]));
    if (std::string url = sourceUrl_.of(frame.file, frame.line); !url.empty())
      os_ << ", URL=\"" << quoted(url) << '"';
    os_ << "];\n";
  }

  void writeArrow(const FunctionGraph::Arc &arc) {
    os_ << 'n' << arc.caller << " -> n" << arc.callee << " [label=\""
        << formatWeight(arc.inclusive[0], weight_.unit);
    if (arc.calls > 0 && weight_.unit != "calls")
      os_ << "\\n" << formatWeight(arc.calls, "calls");
    os_ << "\", penwidth=" << format("%.2f", 0.5 + 4 * shareOf(arc.inclusive[0])) << "];\n";
  }

  const ContextList &list_;
  const SourceUrl &sourceUrl_;
  const WeightColumn &weight_;
  FunctionGraph graph_;
  raw_ostream &os_;
  /// The heaviest first.
  std::vector<uint32_t> functions_;
  std::vector<const FunctionGraph::Arc *> arrows_;
  std::vector<bool> isDrawn_;
};

class DotBackend : public ProfileBackend {
public:
  StringRef extension() const override { return ".dot"; }
  bool isBinary() const override { return false; }
  bool canLink() const override { return true; }

  Error write(const Profile &profile, raw_ostream &os) override {
    ContextList list(profile);
    DotWriter writer(list, sourceUrl(), os);
    writer.write();
    if (writer.functionsLeftOut() > 0 || writer.arrowsLeftOut() > 0)
      addNote(formatWeight(writer.functionsLeftOut(), "functions") + " and " +
              formatWeight(writer.arrowsLeftOut(), "arrows") +
              " of the least weight are left out of the drawing");
    return Error::success();
  }
};

warpo::Registry<ProfileBackend>::Add<DotBackend>
    registration("dot", "which function calls which, for Graphviz");

} // namespace
