//===- FunctionGraph.cpp --------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "FunctionGraph.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace warpo;

static void addTo(uint64_t &sum, uint64_t weight) { sum = SaturatingAdd(sum, weight); }

namespace {

class GraphBuilder {
public:
  GraphBuilder(const ContextList &list, bool separateRecursion)
      : list_(list), functions_(list.functions()), separateRecursion_(separateRecursion),
        openCalls_(list.frames().size()) {}

  FunctionGraph build() {
    for (size_t i = 0; i < list_.contexts().size(); ++i)
      add(i);
    llvm::sort(graph_.arcs, [](const FunctionGraph::Arc &a, const FunctionGraph::Arc &b) {
      return std::pair(a.caller, a.callee) < std::pair(b.caller, b.callee);
    });
    return std::move(graph_);
  }

private:
  static constexpr uint32_t noArc = UINT32_MAX;
  struct OpenCall {
    uint32_t node;
    uint32_t arc;
  };

  void add(size_t index) {
    const ListedContext &context = list_.contexts()[index];
    while (stack_.size() >= context.depth)
      pop();
    uint32_t level = ++openCalls_[functions_[context.frame]];
    uint32_t node = nodeOf(context.frame, separateRecursion_ ? level : 1);
    uint32_t arc = stack_.empty() ? noArc : arcOf(stack_.back().node, node);
    bool isOuterNode = openNodes_[node]++ == 0;
    bool isOuterArc = arc != noArc && openArcs_[arc]++ == 0;
    stack_.push_back({node, arc});
    for (size_t w = 0; w < list_.weights().size(); ++w) {
      const WeightColumn &weight = list_.weights()[w];
      addTo(graph_.nodes[node].self[w], weight.self[index]);
      if (isOuterNode)
        addTo(graph_.nodes[node].inclusive[w], weight.inclusive[index]);
      if (isOuterArc)
        addTo(graph_.arcs[arc].inclusive[w], weight.inclusive[index]);
    }
    if (const WeightColumn *calls = list_.calls(); calls && arc != noArc)
      addTo(graph_.arcs[arc].calls, calls->self[index]);
  }

  void pop() {
    OpenCall call = stack_.pop_back_val();
    --openCalls_[functions_[graph_.nodes[call.node].frame]];
    --openNodes_[call.node];
    if (call.arc != noArc)
      --openArcs_[call.arc];
  }

  uint32_t nodeOf(uint32_t frame, uint32_t level) {
    auto [entry, isNew] =
        nodes_.try_emplace(std::pair(frame, level), uint32_t(graph_.nodes.size()));
    if (isNew) {
      WeightSums zeros(list_.weights().size(), 0);
      graph_.nodes.push_back({frame, level, zeros, zeros});
      openNodes_.push_back(0);
    }
    return entry->second;
  }

  uint32_t arcOf(uint32_t caller, uint32_t callee) {
    auto [entry, isNew] =
        arcs_.try_emplace(std::pair(caller, callee), uint32_t(graph_.arcs.size()));
    if (isNew) {
      graph_.arcs.push_back({caller, callee, 0, WeightSums(list_.weights().size(), 0)});
      openArcs_.push_back(0);
    }
    return entry->second;
  }

  const ContextList &list_;
  std::vector<uint32_t> functions_;
  bool separateRecursion_;
  FunctionGraph graph_;
  DenseMap<std::pair<uint32_t, uint32_t>, uint32_t> nodes_;
  DenseMap<std::pair<uint32_t, uint32_t>, uint32_t> arcs_;
  SmallVector<OpenCall, 0> stack_;
  /// How often each function (by its first frame), node and arc is on the stack.
  std::vector<uint32_t> openCalls_;
  std::vector<uint32_t> openNodes_;
  std::vector<uint32_t> openArcs_;
};

} // namespace

FunctionGraph warpo::makeFunctionGraph(const ContextList &list, bool separateRecursion) {
  return GraphBuilder(list, separateRecursion).build();
}
