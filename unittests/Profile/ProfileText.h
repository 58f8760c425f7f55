//===- ProfileText.h - Small profiles as text, for tables of tests --------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_UNITTESTS_PROFILE_PROFILETEXT_H
#define WARPO_UNITTESTS_PROFILE_PROFILETEXT_H

#include "warpo/Profile/ProfileBuilder.h"
#include "llvm/ADT/StringExtras.h"
#include <map>

namespace warpo::test {

/// A profile, grown path by path. It has the weights `time`, in ticks, and `calls`.
class ProfileInputs {
public:
  /// The function of this name; `[` or `(` begins the name of what is none.
  FunctionIndex function(llvm::StringRef name) {
    auto [entry, isNew] = functions_.try_emplace(name.str(), profile().functions.size());
    if (isNew)
      builder_.profile().functions.push_back({.name = name.str(),
                                              .kind = name.starts_with("[") || name.starts_with("(")
                                                          ? FunctionKind::pseudo
                                                          : FunctionKind::function});
    return entry->second;
  }

  /// Adds the context of these names, the outermost first, or the weights to it.
  NodeIndex add(llvm::ArrayRef<llvm::StringRef> path, uint64_t time, uint64_t calls = 1) {
    NodeIndex node = ContextTree::root;
    for (llvm::StringRef name : path)
      node = builder_.child(node, function(name));
    builder_.add(node, 0, time);
    builder_.add(node, 1, calls);
    return node;
  }

  Profile &profile() { return builder_.profile(); }

private:
  static Profile start() {
    Profile profile;
    profile.title = "test";
    profile.modules = {{}};
    profile.weights = {{"time", "ticks", {0}}, {"calls", "calls", {0}}};
    return profile;
  }

  ProfileBuilder builder_{start()};
  std::map<std::string, FunctionIndex> functions_;
};

/// Siblings in the order of their names, `name:time/calls(callees)`, or the weights that there are.
/// For small trees.
inline std::string text(const Profile &profile, NodeIndex parent = ContextTree::root) {
  std::map<std::pair<std::string, FunctionIndex>, NodeIndex> callees;
  for (NodeIndex node = 1; node < profile.tree.size(); ++node)
    if (profile.tree[node].parent == parent)
      callees[{profile.name(node).str(), profile.tree[node].function}] = node;
  std::string result;
  for (const auto &[key, node] : callees) {
    result.append(result.empty() ? "" : " ").append(key.first);
    for (WeightIndex weight = 0; weight < profile.weights.size(); ++weight)
      result.append(weight == 0 ? ":" : "/").append(llvm::utostr(profile.self(node, weight)));
    if (std::string below = text(profile, node); !below.empty())
      result.append("(").append(below).append(")");
  }
  return result;
}

} // namespace warpo::test

#endif
