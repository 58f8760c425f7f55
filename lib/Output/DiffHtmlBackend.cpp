//===- DiffHtmlBackend.cpp - A page of what changed -----------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The payload is that of ProfilePayload.h, with the widths of the diff as weights, and in addition:
// texts `"isDiff": true`, `"classes": [text]`, and by function `"former"` names and `"presence"`.
// Columns, for each weight: by context `before0`, `after0` (self weights, mean over the runs) and
// `class0`; by function `selfBefore0`, `selfAfter0`, `totalBefore0`, `totalAfter0`, and `real0`: 1
// if its total changed by more than the runs differ, 2 if its self weight did, 3 if both did.
//
//===----------------------------------------------------------------------===//

#include "html/ReportPage.h"
#include "profile/DiffWidths.h"
#include "profile/SiblingOrder.h"
#include "warpo/Output/DiffBackend.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include <cmath>

using namespace llvm;
using namespace warpo;

// Never rounds a positive mean to 0.
static uint64_t rounded(double mean) {
  return mean >= 0x1p64 ? std::numeric_limits<uint64_t>::max() : uint64_t(std::round(mean));
}

namespace {

class DiffPage {
public:
  explicit DiffPage(const ProfileDiff &diff) : diff_(diff), widths_(widthsOf(diff)) {
    ContextTree::Children children = heaviestFirst(widths_, widths_.inclusive());
    for (CallTreeWalk walk(children); walk.next();) {
      nodes_.push_back(walk.node());
      depths_.push_back(walk.depth());
    }
    // The shown one first.
    order_.push_back(diff.shown);
    for (WeightIndex weight = 0; weight < diff.weights.size(); ++weight)
      if (weight != diff.shown)
        order_.push_back(weight);
    for (WeightIndex weight : order_) {
      std::vector<uint64_t> &column = classColumns_.emplace_back();
      for (NodeIndex node : nodes_)
        column.push_back(
            classIndex(changeClasses(diff.contexts[node], diff.weights[weight].inclusive[node])));
    }
  }

  Error write(StringRef title, raw_ostream &os) {
    PagePayload payload([&](json::OStream &json) { writeTexts(title, json); });
    payload.beginColumn("function", nodes_.size());
    for (NodeIndex node : nodes_)
      payload.add(diff_.tree[node].function);
    payload.beginColumn("rise", nodes_.size());
    size_t before = 0;
    for (size_t depth : depths_) {
      payload.add(before + 1 - depth);
      before = depth;
    }
    for (const auto &[index, weight] : enumerate(order_))
      addWeight(index, diff_.weights[weight], widths_.weights[weight], payload);
    return writeReportPage({.title = title, .payload = payload, .withSpeedscope = false}, os);
  }

private:
  uint64_t classIndex(const std::string &classes) {
    auto [entry, isNew] = classes_.try_emplace(classes, classNames_.size());
    if (isNew)
      classNames_.push_back(classes);
    return entry->second;
  }

  void writeTexts(StringRef title, json::OStream &json) {
    json.attribute("title", title);
    json.attribute("isDiff", true);
    json.attributeArray("weights", [&] {
      for (WeightIndex index : order_)
        json.object([&] {
          const DiffWeight &weight = diff_.weights[index];
          const Change &whole = weight.inclusive[ContextTree::root];
          json.attribute("name", weight.name);
          json.attribute("unit", weight.unit);
          json.attribute("total", std::to_string(widths_.total(index)));
          json.attribute("isReal", whole.isReal());
        });
    });
    json.attributeArray("classes", [&] {
      for (const std::string &classes : classNames_)
        json.value(classes);
    });
    std::vector<Frame> frames;
    for (const ProfileFunction &function : widths_.functions)
      frames.push_back(frameOf(widths_, function));
    writeFunctions(frames, SourceUrl(), json);
    json.attributeArray("former", [&] {
      for (const DiffFunction &function : diff_.functions)
        json.value(function.formerName.empty() ? "" : displayName(function.formerName));
    });
    json.attributeArray("presence", [&] {
      for (const DiffFunction &function : diff_.functions)
        json.value(function.presence == Presence::added  ? "new"
                   : function.presence == Presence::gone ? "gone"
                                                         : "");
    });
  }

  void addWeight(size_t index, const DiffWeight &weight, const ProfileWeight &width,
                 PagePayload &payload) {
    auto addContexts = [&](StringRef name, auto valueOf) {
      payload.beginColumn(name + Twine(index), nodes_.size());
      for (NodeIndex node : nodes_)
        payload.add(valueOf(node));
    };
    addContexts("self", [&](NodeIndex node) { return width.self[node]; });
    addContexts("before", [&](NodeIndex node) { return rounded(weight.self[node].before.mean); });
    addContexts("after", [&](NodeIndex node) { return rounded(weight.self[node].after.mean); });
    payload.addColumn("class" + Twine(index), classColumns_[index]);
    auto addFunctions = [&](StringRef name, auto valueOf) {
      payload.beginColumn(name + Twine(index), diff_.functions.size());
      for (size_t function = 0; function < diff_.functions.size(); ++function)
        payload.add(valueOf(weight.functionSelf[function], weight.functionInclusive[function]));
    };
    addFunctions("selfBefore",
                 [](const Change &self, const Change &) { return rounded(self.before.mean); });
    addFunctions("selfAfter",
                 [](const Change &self, const Change &) { return rounded(self.after.mean); });
    addFunctions("totalBefore",
                 [](const Change &, const Change &total) { return rounded(total.before.mean); });
    addFunctions("totalAfter",
                 [](const Change &, const Change &total) { return rounded(total.after.mean); });
    addFunctions("real", [](const Change &self, const Change &total) {
      return uint64_t(total.isReal()) + 2 * uint64_t(self.isReal());
    });
  }

  const ProfileDiff &diff_;
  Profile widths_;
  std::vector<NodeIndex> nodes_;
  std::vector<size_t> depths_;
  std::vector<WeightIndex> order_;
  StringMap<uint64_t> classes_;
  std::vector<std::string> classNames_;
  std::vector<std::vector<uint64_t>> classColumns_;
};

class DiffHtmlBackend : public DiffBackend {
public:
  StringRef extension() const override { return ".html"; }
  bool isBinary() const override { return false; }
  Error write(const ProfileDiff &diff, StringRef title, raw_ostream &os) override {
    return DiffPage(diff).write(displayName(title), os);
  }
};

warpo::Registry<DiffBackend>::Add<DiffHtmlBackend>
    registration("html", "a page with a table and a flame graph of what changed");

} // namespace
