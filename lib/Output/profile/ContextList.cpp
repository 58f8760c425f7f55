//===- ContextList.cpp ----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "ContextList.h"
#include "SiblingOrder.h"
#include "llvm/Support/MathExtras.h"
#include <map>

using namespace llvm;
using namespace warpo;

static constexpr uint32_t unnumbered = std::numeric_limits<uint32_t>::max();

static std::string moduleName(const ProfileModule &module) {
  if (!module.name.empty())
    return displayName(module.name);
  // A text mapping names the functions of all modules of a record: the module is unknown.
  return module.id == 0 ? "" : "Module " + std::to_string(module.id);
}

Frame warpo::frameOf(const Profile &profile, const ProfileFunction &function) {
  Frame frame;
  frame.name = displayName(function.name);
  frame.isPseudo = function.kind == FunctionKind::pseudo;
  frame.attribute = function.attribute;
  if (frame.isPseudo)
    return frame;
  frame.isMostlyProbe = function.isMostlyProbe();
  frame.module = moduleName(profile.modules[function.module]);
  if (!function.file.empty()) {
    frame.file = displayName(function.file);
    frame.line = function.line;
  }
  if (function.executedLine != 0) {
    frame.executedFile = displayName(function.executedFile);
    frame.executedLine = function.executedLine;
  }
  for (const SharedText &name : function.inlined)
    frame.inlined.push_back(displayShortName(name));
  return frame;
}

std::string WeightColumn::columnName(StringRef part) const {
  std::string text = name + "_" + part.str();
  return displayName(unit == name ? text : text + "_" + unit);
}

ContextList::ContextList(const Profile &profile) : title_(displayName(profile.title)) {
  std::vector<NodeIndex> nodes = listContexts(profile);
  addWeight(profile.weights[profile.shown], nodes);
  for (WeightIndex weight = 0; weight < profile.weights.size(); ++weight)
    if (weight != profile.shown)
      addWeight(profile.weights[weight], nodes);
}

std::vector<NodeIndex> ContextList::listContexts(const Profile &profile) {
  const ContextTree &tree = profile.tree;
  ContextTree::Children children = heaviestFirst(profile, profile.inclusive());
  contexts_.reserve(tree.size() - 1);
  std::vector<NodeIndex> nodes;
  nodes.reserve(tree.size() - 1);
  std::vector<uint32_t> frameOfFunction(profile.functions.size(), unnumbered);
  auto before = [](const Frame &a, const Frame &b) { return a.key() < b.key(); };
  std::map<Frame, uint32_t, decltype(before)> known(before);
  // The contexts that may be the caller of the next one.
  std::vector<uint32_t> open;
  for (CallTreeWalk walk(children); walk.next();) {
    uint32_t &frame = frameOfFunction[tree[walk.node()].function];
    if (frame == unnumbered) {
      auto [entry, isNew] = known.try_emplace(frameOf(profile, profile.function(walk.node())),
                                              uint32_t(frames_.size()));
      if (isNew)
        frames_.push_back(entry->first);
      frame = entry->second;
    }
    open.resize(walk.depth() - 1);
    contexts_.push_back(
        {open.empty() ? ListedContext::noCaller : open.back(), frame, uint32_t(walk.depth())});
    open.push_back(uint32_t(nodes.size()));
    nodes.push_back(walk.node());
  }
  return nodes;
}

std::vector<uint32_t> ContextList::functions() const {
  auto before = [](const Frame *a, const Frame *b) { return a->functionKey() < b->functionKey(); };
  std::map<const Frame *, uint32_t, decltype(before)> first(before);
  std::vector<uint32_t> functions;
  for (const Frame &frame : frames_)
    functions.push_back(first.try_emplace(&frame, uint32_t(functions.size())).first->second);
  return functions;
}

void ContextList::addWeight(const ProfileWeight &weight, ArrayRef<NodeIndex> nodes) {
  WeightColumn &column = weights_.emplace_back();
  column.name = weight.name;
  column.unit = weight.unit;
  column.self.reserve(nodes.size());
  for (NodeIndex node : nodes)
    column.self.push_back(weight.self[node]);
  column.inclusive = column.self;
  for (size_t i = nodes.size(); i-- > 0;) {
    uint32_t caller = contexts_[i].caller;
    uint64_t &above = caller == ListedContext::noCaller ? column.total : column.inclusive[caller];
    above = SaturatingAdd(above, column.inclusive[i]);
  }
}

uint64_t ContextList::cutBelow(uint32_t depth) {
  size_t kept = 0;
  // For each context its new index, or that of the caller that replaces it.
  std::vector<uint32_t> newIndex(contexts_.size());
  for (size_t i = 0; i < contexts_.size(); ++i) {
    ListedContext context = contexts_[i];
    if (context.caller != ListedContext::noCaller)
      context.caller = newIndex[context.caller];
    if (context.depth > depth) {
      newIndex[i] = context.caller;
      for (WeightColumn &weight : weights_)
        weight.self[context.caller] = SaturatingAdd(weight.self[context.caller], weight.self[i]);
      continue;
    }
    newIndex[i] = uint32_t(kept);
    contexts_[kept] = context;
    for (WeightColumn &weight : weights_) {
      weight.self[kept] = weight.self[i];
      weight.inclusive[kept] = weight.inclusive[i];
    }
    ++kept;
  }
  uint64_t cut = contexts_.size() - kept;
  contexts_.resize(kept);
  for (WeightColumn &weight : weights_) {
    weight.self.resize(kept);
    weight.inclusive.resize(kept);
  }
  return cut;
}

const WeightColumn *ContextList::calls() const {
  for (const WeightColumn &column : weights_)
    if (column.name == "calls")
      return &column;
  return nullptr;
}
