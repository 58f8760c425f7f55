//===- ProfilePayload.cpp -------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "ProfilePayload.h"
#include "../profile/ReaderLimits.h"
#include "../profile/SpeedscopeText.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace warpo;

/// Maximum depth of the stacks that the page passes to speedscope.
static uint32_t depthInSpeedscope(ContextList list, std::vector<std::string> &notes) {
  notes = cutForSpeedscope(list);
  uint32_t depth = 0;
  for (const ListedContext &context : list.contexts())
    depth = std::max(depth, context.depth);
  return depth;
}

static PagePayload textsOf(const ContextList &list, const SourceUrl &sourceUrl,
                           std::vector<std::string> &notes) {
  uint32_t speedscopeDepth = depthInSpeedscope(list, notes);
  return PagePayload([&](json::OStream &json) {
    json.attribute("title", list.title());
    json.attribute("speedscopeDepth", speedscopeDepth);
    json.attributeArray("weights", [&] {
      for (const WeightColumn &weight : list.weights())
        json.object([&] {
          json.attribute("name", weight.name);
          json.attribute("unit", weight.unit);
          // JSON readers round numbers above 2^53.
          json.attribute("total", std::to_string(weight.total));
        });
    });
    writeFunctions(list.frames(), sourceUrl, json);
  });
}

ProfilePayload::ProfilePayload(const ContextList &list, const SourceUrl &sourceUrl)
    : payload(textsOf(list, sourceUrl, notes)) {
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
  for (std::string &text :
       notesOfLargeTotals(list, maxExactDouble, "more than the page shows without rounding"))
    notes.push_back(std::move(text));
}
