//===- WindowProfiles.cpp -------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Profile/WindowProfiles.h"
#include "warpo/Profile/ProfileBuilder.h"
#include "warpo/Support/Errors.h"
#include <map>
#include <unordered_map>

using namespace llvm;
using namespace warpo;

Expected<WindowProfiles> WindowProfiles::create(Profile profile) {
  WindowProfiles all(std::move(profile));
  ArrayRef<ContextTree::Context> contexts = all.profile_.tree.nodes();
  std::map<uint64_t, size_t> windows;
  std::vector<uint64_t> beginOf(contexts.size());
  for (NodeIndex node = 1; node < contexts.size(); ++node) {
    NodeIndex parent = contexts[node].parent;
    beginOf[node] = beginOf[parent];
    if (parent != ContextTree::root)
      ++windows[beginOf[node]];
    else if (all.profile_.name(node).getAsInteger(10, beginOf[node]))
      return makeError("the root '" + all.profile_.name(node) + "' is no window of time");
  }
  if (windows.empty())
    windows.emplace(0, 0);
  size_t count = 0;
  for (auto &[begin, size] : windows) {
    all.begins_.push_back(begin);
    all.first_.push_back(count);
    count += std::exchange(size, count);
  }
  all.first_.push_back(count);
  all.nodes_.resize(count);
  for (NodeIndex node = 1; node < contexts.size(); ++node)
    if (contexts[node].parent != ContextTree::root)
      all.nodes_[windows[beginOf[node]]++] = node;
  return all;
}

Profile WindowProfiles::profile(size_t window) const {
  // With only its own functions: all functions in each window would be the product of both numbers.
  ProfileBuilder builder(profile_.emptyCopy(/*withFunctions=*/false));
  std::vector<ProfileFunction> &functions = builder.profile().functions;
  builder.profile().modules = profile_.modules;
  std::unordered_map<FunctionIndex, FunctionIndex> known;
  auto functionOf = [&](FunctionIndex function) {
    auto [entry, isNew] = known.try_emplace(function, FunctionIndex(functions.size()));
    if (isNew)
      functions.push_back(profile_.functions[function]);
    return entry->second;
  };
  std::unordered_map<NodeIndex, NodeIndex> contexts;
  for (size_t i = first_[window]; i < first_[window + 1]; ++i) {
    NodeIndex node = nodes_[i];
    const ContextTree::Context &context = profile_.tree[node];
    // Callers come before their callees. The caller of a window's outermost calls is not in the
    // window.
    auto parent = contexts.find(context.parent);
    NodeIndex made = builder.child(parent == contexts.end() ? ContextTree::root : parent->second,
                                   functionOf(context.function));
    builder.addAll(made, profile_, node);
    contexts.emplace(node, made);
  }
  return builder.take();
}
