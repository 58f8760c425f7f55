//===- ReaderLimits.cpp ---------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "ReaderLimits.h"
#include "warpo/Output/Quantities.h"

using namespace llvm;
using namespace warpo;

std::vector<std::string> warpo::notesOfLargeTotals(const ContextList &list, uint64_t limit,
                                                   StringRef consequence) {
  std::vector<std::string> notes;
  for (const WeightColumn &weight : list.weights())
    if (weight.total > limit)
      notes.push_back(("the total of " + weight.name + ", " + groupDigits(weight.total) + " " +
                       weight.unit + ", is " + consequence)
                          .str());
  return notes;
}

// At least 1 whatever the limits are.
static uint32_t deepestWithin(const ContextList &list, uint32_t maxDepth, uint64_t maxFrames) {
  std::vector<uint64_t> contextsAt;
  for (const ListedContext &context : list.contexts()) {
    if (contextsAt.size() < context.depth)
      contextsAt.resize(context.depth);
    ++contextsAt[context.depth - 1];
  }
  uint64_t frames = 0;
  for (uint32_t depth = 0; depth < contextsAt.size(); ++depth) {
    frames += contextsAt[depth] * (depth + 1);
    if (depth > 0 && (depth == maxDepth || frames > maxFrames))
      return depth;
  }
  return maxDepth;
}

std::vector<std::string> warpo::cutStacks(ContextList &list, uint32_t maxDepth, uint64_t maxFrames,
                                          StringRef why) {
  uint32_t depth = deepestWithin(list, maxDepth, maxFrames);
  uint64_t cut = list.cutBelow(depth);
  if (cut == 0)
    return {};
  std::string text = formatWeight(cut, "contexts");
  return {text + " below depth " + groupDigits(depth) +
          (cut == 1 ? " counts as its caller" : " count as their callers") +
          " there: " + why.str()};
}
