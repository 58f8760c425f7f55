//===- Canonical.cpp - A profile in an order of its own -------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Profile/ProfileMerger.h"
#include "llvm/ADT/BitVector.h"
#include <algorithm>
#include <tuple>

using namespace llvm;
using namespace warpo;

// Sort keys of modules, functions, weights.
static auto keyOf(const ProfileModule &module) { return std::tie(module.name, module.id); }

static auto keyOf(const ProfileFunction &function) {
  return std::tie(function.name, function.module, function.kind, function.id, function.file,
                  function.line, function.executedFile, function.executedLine, function.bodyHash,
                  function.inlined, function.attribute);
}

static auto keyOf(const ProfileWeight &weight) {
  int rank = weight.name == "time" ? 0 : weight.name == "calls" ? 1 : 2;
  return std::pair<int, StringRef>(rank, weight.name);
}

/// Sorts the used ones of `items` and merges equal ones; returns the new place of each.
template <typename T>
static std::vector<uint32_t> sortUsed(std::vector<T> &items, const BitVector &used) {
  std::vector<uint32_t> order;
  for (unsigned item : used.set_bits())
    order.push_back(item);
  std::sort(order.begin(), order.end(),
            [&](uint32_t a, uint32_t b) { return keyOf(items[a]) < keyOf(items[b]); });
  std::vector<T> sorted;
  std::vector<uint32_t> places(items.size());
  for (uint32_t item : order) {
    if (sorted.empty() || keyOf(sorted.back()) != keyOf(items[item]))
      sorted.push_back(items[item]);
    places[item] = uint32_t(sorted.size() - 1);
  }
  items = std::move(sorted);
  return places;
}

// Sorts the functions and modules of the profile; returns the new place of each function.
static std::vector<FunctionIndex> sortFunctions(const Profile &profile, Profile &result) {
  BitVector usedFunctions(profile.functions.size()), usedModules(profile.modules.size());
  for (const ContextTree::Context &context : profile.tree.nodes().drop_front()) {
    const ProfileFunction &function = profile.functions[context.function];
    usedFunctions.set(context.function);
    if (function.kind != FunctionKind::pseudo)
      usedModules.set(function.module);
  }
  std::vector<uint32_t> modules = sortUsed(result.modules, usedModules);
  // A context that is not a function has no module, but its index needs one.
  if (result.modules.empty())
    result.modules.emplace_back();
  for (ProfileFunction &function : result.functions)
    function.module = function.kind == FunctionKind::pseudo ? 0 : modules[function.module];
  return sortUsed(result.functions, usedFunctions);
}

Profile warpo::canonical(const Profile &profile) {
  Profile start = profile.emptyCopy();
  std::vector<FunctionIndex> functions = sortFunctions(profile, start);
  std::vector<WeightIndex> weights(profile.weights.size());
  for (WeightIndex weight = 0; weight < weights.size(); ++weight)
    weights[weight] = weight;
  std::sort(weights.begin(), weights.end(), [&](WeightIndex a, WeightIndex b) {
    return keyOf(profile.weights[a]) < keyOf(profile.weights[b]);
  });
  for (WeightIndex weight = 0; weight < weights.size(); ++weight) {
    start.weights[weight].name = profile.weights[weights[weight]].name;
    start.weights[weight].unit = profile.weights[weights[weight]].unit;
    if (weights[weight] == profile.shown)
      start.shown = weight;
  }

  // Contexts whose functions were merged are merged first, then all are sorted.
  ProfileBuilder joined(start);
  std::vector<NodeIndex> contexts(profile.tree.size(), ContextTree::root);
  for (NodeIndex node = 1; node < profile.tree.size(); ++node) {
    auto [parent, function] = profile.tree[node];
    contexts[node] = joined.child(contexts[parent], functions[function]);
    for (WeightIndex weight = 0; weight < weights.size(); ++weight)
      joined.add(contexts[node], weight, profile.weights[weights[weight]], node);
  }
  Profile unsorted = joined.take();
  const ContextTree &tree = unsorted.tree;
  ContextTree::Children children =
      tree.children([&](NodeIndex a, NodeIndex b) { return tree[a].function < tree[b].function; });
  Profile result = std::move(start);
  std::vector<NodeIndex> stack{ContextTree::root};
  for (CallTreeWalk walk(children); walk.next();) {
    stack.resize(walk.depth());
    stack.push_back(result.tree.append(stack.back(), tree[walk.node()].function));
    for (WeightIndex weight = 0; weight < weights.size(); ++weight) {
      result.weights[weight].self.push_back(unsorted.self(walk.node(), weight));
      result.weights[weight].addElsewhere(stack.back(),
                                          unsorted.weights[weight].elsewhereOf(walk.node()));
    }
  }
  return result;
}
