//===- FlameLayout.h - Places the frames of a flame graph -----------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_OUTPUT_SVG_FLAMELAYOUT_H
#define WARPO_OUTPUT_SVG_FLAMELAYOUT_H

#include "warpo/Output/ProfileBackend.h"

namespace warpo {

struct FlameLimits {
  /// Contexts with a smaller share of the whole are not drawn: they would be visible only when
  /// magnified a hundredfold.
  double minShare = 0.00001;
  /// Only this many of the remaining contexts are drawn, the heaviest ones: more make browsers
  /// slow.
  size_t maxFrames = 8000;
};

struct FlameFrame {
  /// ContextTree::root for the whole; for a remainder, the context whose callees it stands for.
  NodeIndex node;
  /// 0 for a context. For a remainder the number of contexts it stands for: callees of `node` that
  /// are too narrow to draw, and everything below them.
  uint32_t folded;
  /// 0 for the whole, 1 for outermost calls.
  uint32_t level;
  /// In the profile's unit; `start` is the distance from the left edge.
  uint64_t start;
  uint64_t weight;
  uint64_t self;
};

struct FlameLayout {
  /// In preorder; of siblings the heaviest comes first, a remainder last.
  std::vector<FlameFrame> frames;
  uint64_t total = 0;
  uint32_t levels = 0;
  /// Contexts that are not drawn: they are in remainders, or omitted where the remainder would be
  /// too narrow as well.
  uint64_t foldedContexts = 0;
  uint64_t foldedWeight = 0;
};

FlameLayout layOutFlames(const Profile &profile, const FlameLimits &limits = {});

} // namespace warpo

#endif
