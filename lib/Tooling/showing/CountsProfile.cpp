//===- CountsProfile.cpp --------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "CountsProfile.h"
#include "warpo/Coverage/CountedCode.h"
#include "warpo/Wasm/FunctionNames.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/Path.h"
#include <map>

using namespace llvm;
using namespace warpo;

namespace {

constexpr WeightIndex instructions = 0;
constexpr WeightIndex calls = 1;

class CountsProfileMaker {
public:
  CountsProfileMaker(const ModuleCounts &counts, const ModulePlaces &places, StringRef title,
                     const std::optional<SourcePaths> &paths, bool withLines);

  void add(const FunctionCounts &function, const FunctionPlaces &places);
  Profile take() { return std::move(profile_); }

private:
  /// A function and an executed line: name, file and line of the declaration, executed file and
  /// line.
  using Key = std::tuple<std::string, uint32_t, uint32_t, uint32_t, uint32_t>;

  Key frameOf(const FunctionPlaces &places, uint32_t call) const;
  NodeIndex contextOf(NodeIndex parent, Key frame, uint32_t file, uint32_t line);
  void addWeight(NodeIndex node, WeightIndex weight, uint64_t amount) {
    uint64_t &sum = profile_.weights[weight].self[node];
    sum = SaturatingAdd(sum, amount);
  }

  const ModuleCounts &counts_;
  const ModulePlaces &places_;
  wasm::FunctionNames names_;
  bool withLines_;
  Profile profile_;
  /// Displayed paths by number; number 0 is empty.
  std::vector<SharedText> files_;
  std::map<Key, FunctionIndex> functions_;
  DenseMap<std::pair<NodeIndex, FunctionIndex>, NodeIndex> contexts_;
};

} // namespace

CountsProfileMaker::CountsProfileMaker(const ModuleCounts &counts, const ModulePlaces &places,
                                       StringRef title, const std::optional<SourcePaths> &paths,
                                       bool withLines)
    : counts_(counts), places_(places), names_(counts.module()), withLines_(withLines) {
  profile_.title = title.str();
  profile_.modules.push_back({0, sys::path::filename(counts.module().fileName).str()});
  for (StringRef name : {"instructions", "calls"})
    profile_.weights.push_back({name.str(), name.str(), {0}});
  files_.resize(1);
  for (StringRef file : places.files)
    files_.push_back(paths ? (*paths)(file) : plainPath(file).str());
}

// The frame of an inlined call; call 0 is the function itself.
CountsProfileMaker::Key CountsProfileMaker::frameOf(const FunctionPlaces &places,
                                                    uint32_t call) const {
  Inlinee function{places.name, places.file, places.line};
  if (call) {
    uint32_t inlinee = places.calls[call - 1].inlinee;
    function = inlinee ? places_.inlinees[inlinee - 1] : Inlinee();
  }
  StringRef name = places_.name(function.name);
  std::string shown = !name.empty() ? name.str() : call ? "(inlined)" : names_[places.index];
  return {std::move(shown), function.file, function.line, 0, 0};
}

NodeIndex CountsProfileMaker::contextOf(NodeIndex parent, Key frame, uint32_t file, uint32_t line) {
  if (withLines_ && file && line) {
    std::get<3>(frame) = file;
    std::get<4>(frame) = line;
  }
  auto [function, isNewFunction] =
      functions_.try_emplace(std::move(frame), FunctionIndex(profile_.functions.size()));
  if (isNewFunction) {
    const auto &[name, ownFile, ownLine, executedFile, executedLine] = function->first;
    ProfileFunction &added = profile_.functions.emplace_back();
    added.name = name;
    added.file = files_[ownFile];
    added.line = ownLine;
    added.executedFile = files_[executedFile];
    added.executedLine = executedLine;
  }
  auto [context, isNew] = contexts_.try_emplace({parent, function->second}, 0);
  if (isNew) {
    context->second = profile_.tree.append(parent, function->second);
    for (ProfileWeight &weight : profile_.weights)
      weight.self.push_back(0);
  }
  return context->second;
}

void CountsProfileMaker::add(const FunctionCounts &function, const FunctionPlaces &places) {
  if (function.counts.entries() == 0)
    return;
  std::vector<Key> frames;
  for (uint32_t call = 0; call <= places.calls.size(); ++call)
    frames.push_back(frameOf(places, call));
  // The parents of calls' frames, created for executed calls only.
  std::vector<std::optional<NodeIndex>> parents(frames.size());
  parents.front() = ContextTree::root;
  auto parentOf = [&](auto &self, uint32_t number) -> NodeIndex {
    if (!parents[number]) {
      const InlinedCall &call = places.calls[number - 1];
      parents[number] =
          contextOf(self(self, call.around), frames[call.around], call.file, call.line);
    }
    return *parents[number];
  };
  std::vector<bool> isSeen(frames.size());
  forEachInstruction(counts_.module(), function, places, [&](const CountedInstruction &each) {
    if (each.executions == 0)
      return;
    NodeIndex node =
        contextOf(parentOf(parentOf, each.call), frames[each.call], each.file, each.line);
    addWeight(node, instructions, each.executions);
    if (!isSeen[each.call])
      addWeight(node, calls, each.call ? each.executions : function.counts.entries());
    isSeen[each.call] = true;
  });
}

Profile warpo::profileOfCounts(const ModuleCounts &counts, const ModulePlaces &places,
                               StringRef title, const std::optional<SourcePaths> &paths,
                               bool withLines) {
  CountsProfileMaker maker(counts, places, title, paths, withLines);
  forEachLocated(counts, places,
                 [&](const FunctionCounts &function, const FunctionPlaces &functionPlaces) {
                   maker.add(function, functionPlaces);
                 });
  return maker.take();
}
