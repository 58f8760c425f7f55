//===- HtmlBackend.cpp - A profile as a page with several views -----------===//
// SPDX-License-Identifier: Apache-2.0
//
// Texts of the payload: `{"title", "weights": [{"name", "unit", "total"}], "functions",
// "speedscopeDepth"}`. Columns, an element for each context: `function`; `rise`, how much less deep
// it is than a callee of the context before it; `self0`, `self1`, … for the weights. Contexts come
// as in a ContextList.
//
//===----------------------------------------------------------------------===//

#include "html/ReportPage.h"
#include "profile/ReaderLimits.h"
#include "profile/SpeedscopeText.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace warpo;

static uint32_t deepest(const ContextList &list) {
  uint32_t depth = 0;
  for (const ListedContext &context : list.contexts())
    depth = std::max(depth, context.depth);
  return depth;
}

namespace {

class HtmlBackend : public ProfileBackend {
public:
  StringRef extension() const override { return ".html"; }
  bool isBinary() const override { return false; }

  Error write(const Profile &profile, raw_ostream &os) override {
    ContextList list(profile);
    uint32_t speedscopeDepth = depthInSpeedscope(list);
    PagePayload payload([&](json::OStream &json) {
      json.attribute("title", list.title());
      json.attribute("speedscopeDepth", speedscopeDepth);
      json.attributeArray("weights", [&] {
        for (const WeightColumn &weight : list.weights())
          json.object([&] {
            json.attribute("name", weight.name);
            json.attribute("unit", weight.unit);
            // Of numbers above 2^53 readers of JSON round the last digits.
            json.attribute("total", std::to_string(weight.total));
          });
      });
      writeFunctions(list.frames(), json);
    });
    addContexts(list, payload);
    addNotes(notesOfLargeTotals(list, maxExactDouble, "more than the page shows without rounding"));
    return writeReportPage(list.title(), payload, /*withSpeedscope=*/true, os);
  }

private:
  /// How deep the stacks are that the page gives to speedscope.
  uint32_t depthInSpeedscope(const ContextList &list) {
    ContextList cut = list;
    addNotes(cutForSpeedscope(cut));
    return deepest(cut);
  }

  static void addContexts(const ContextList &list, PagePayload &payload) {
    size_t count = list.contexts().size();
    payload.beginColumn("function", count);
    for (const ListedContext &context : list.contexts())
      payload.add(context.frame);
    payload.beginColumn("rise", count);
    uint32_t before = 0;
    for (const ListedContext &context : list.contexts()) {
      payload.add(before + 1 - context.depth);
      before = context.depth;
    }
    for (const auto &[index, weight] : enumerate(list.weights()))
      payload.addColumn("self" + Twine(index), weight.self);
  }
};

warpo::Registry<ProfileBackend>::Add<HtmlBackend>
    registration("html", "a page with a table, a flame graph, callers and callees, speedscope");

} // namespace
