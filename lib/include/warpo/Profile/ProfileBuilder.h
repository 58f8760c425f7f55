//===- ProfileBuilder.h - Builds a profile context by context -------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_PROFILE_PROFILEBUILDER_H
#define WARPO_PROFILE_PROFILEBUILDER_H

#include "warpo/Profile/Profile.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/MathExtras.h"

namespace warpo {

/// Finds or adds contexts by their path. Functions and modules may be added to profile() at any
/// time.
class ProfileBuilder {
public:
  /// `start` must have its weights, and no contexts.
  explicit ProfileBuilder(Profile start) : profile_(std::move(start)) {}

  /// The context of `function` called from `parent`; added with weights of 0 if it does not exist.
  NodeIndex child(NodeIndex parent, FunctionIndex function);

  /// Saturates.
  void add(NodeIndex node, WeightIndex weight, uint64_t amount) {
    uint64_t &self = profile_.weights[weight].self[node];
    self = llvm::SaturatingAdd(self, amount);
  }
  /// Adds a weight of a context of another profile.
  void add(NodeIndex node, WeightIndex weight, const ProfileWeight &from, NodeIndex fromNode) {
    add(node, weight, from.self[fromNode]);
    profile_.weights[weight].addElsewhere(node, from.elsewhereOf(fromNode));
  }
  /// Adds all weights of a context of `other`, which has the same weights in the same order.
  void addAll(NodeIndex node, const Profile &other, NodeIndex from) {
    for (WeightIndex weight = 0; weight < other.weights.size(); ++weight)
      add(node, weight, other.weights[weight], from);
  }

  Profile &profile() { return profile_; }
  /// Moves the profile out of the builder.
  Profile take() { return std::move(profile_); }

private:
  Profile profile_;
  /// By parent and function.
  llvm::DenseMap<std::pair<NodeIndex, FunctionIndex>, NodeIndex> contexts_;
};

} // namespace warpo

#endif
