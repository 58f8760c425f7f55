//===- FlameLayout.h - Which frames a flame graph shows, and where --------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_OUTPUT_SVG_FLAMELAYOUT_H
#define WARPO_OUTPUT_SVG_FLAMELAYOUT_H

#include "warpo/Output/ProfileBackend.h"

namespace warpo {

struct FlameLimits {
  /// A context of a smaller share of the whole is not drawn: it would take a zoom of a hundredfold
  /// to see it.
  double minShare = 0.00001;
  /// Of the contexts left the heaviest are drawn: more make browsers slow.
  size_t maxFrames = 8000;
};

struct FlameFrame {
  /// ContextTree::root for the whole. For a remainder, the context whose callees it stands for.
  NodeIndex node;
  /// How many contexts a remainder stands for: the callees of `node`, and all below them, that are
  /// too narrow to draw. 0 for a context.
  uint32_t folded;
  /// 0 for the whole, 1 for the outermost calls.
  uint32_t level;
  /// In the profile's unit; `start` counts from the left edge.
  uint64_t start;
  uint64_t weight;
  uint64_t self;
};

struct FlameLayout {
  /// A frame comes after the one that it lies in, and with all that lies in it before its next
  /// sibling. Of siblings the heaviest comes first, a remainder last.
  std::vector<FlameFrame> frames;
  uint64_t total = 0;
  uint32_t levels = 0;
  /// Contexts that are not drawn, in remainders or, where even those would be too narrow, not at
  /// all.
  uint64_t foldedContexts = 0;
  uint64_t foldedWeight = 0;
};

FlameLayout layOutFlames(const Profile &profile, const FlameLimits &limits = {});

} // namespace warpo

#endif
