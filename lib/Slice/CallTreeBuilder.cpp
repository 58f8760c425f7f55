//===- CallTreeBuilder.cpp ------------------------------------------------===//

#include "warpo/Slice/CallTree.h"

using namespace llvm;
using namespace warpo;

CallTreeBuilder::CallTreeBuilder(FunctionTable &functions, Options options)
    : options_(options), otherFunction_(functions.pseudoFunction("(other)")),
      deeperFunction_(functions.pseudoFunction("(deeper)")),
      lostFunction_(functions.pseudoFunction("[lost]")) {}

NodeIndex CallTreeBuilder::enter(NodeIndex parent, FunctionIndex function) {
  if (LLVM_LIKELY(tree_.size() <= options_.maxContexts))
    return tree_.child(parent, function);
  return enterFullTree(parent, function);
}

NodeIndex CallTreeBuilder::enterFullTree(NodeIndex parent, FunctionIndex function) {
  if (auto known = tree_.findChild(parent, function))
    return *known;
  ++callsInOther_;
  // Below an (other) everything is other: no chain of them for a deep stack.
  if (tree_[parent].function == otherFunction_)
    return parent;
  return tree_.child(parent, otherFunction_);
}

NodeIndex CallTreeBuilder::enterTooDeep(NodeIndex parent) {
  bool isDeeper = tree_[parent].function == deeperFunction_;
  NodeIndex node = isDeeper ? parent : enter(parent, deeperFunction_);
  // In a full tree the call may have been counted as other.
  callsTooDeep_ += tree_[node].function == deeperFunction_;
  return node;
}

void CallTreeBuilder::addLost(Stream &stream, const LostRange &range) {
  if (range.from > stream.lastTime && stream.stack.size() > 1)
    tree_.addTime(stream.stack.back(), range.from - stream.lastTime);
  NodeIndex lost = enter(stream.stack.back(), lostFunction_);
  tree_.addCalls(lost, 1);
  tree_.addTime(lost, range.to - range.from);
  lostTime_ += range.to - range.from;
  stream.lastTime = range.to;
}

// About 4 ns an event where the child is the one last called from its parent, 15 where the hash is
// asked and its slots lie in the cache.
Error CallTreeBuilder::events(const EventBatch &batch) {
  if (batch.stream >= streams_.size())
    streams_.resize(batch.stream + 1);
  Stream &stream = streams_[batch.stream];
  ArrayRef<LostRange> lost = batch.lost;
  for (size_t i = 0; i < batch.events.size(); ++i) {
    for (; LLVM_UNLIKELY(!lost.empty() && lost.front().position == i); lost = lost.drop_front())
      addLost(stream, lost.front());
    const Event &event = batch.events[i];
    NodeIndex top = stream.stack.back();
    // Time in the host counts for nobody.
    if (top != CallTree::root)
      tree_.addTime(top, event.time - stream.lastTime);
    stream.lastTime = event.time;
    if (event.kind == EventKind::begin) {
      NodeIndex node = LLVM_UNLIKELY(stream.stack.size() > options_.maxDepth)
                           ? enterTooDeep(top)
                           : enter(top, event.function);
      tree_.addCalls(node, 1);
      stream.stack.push_back(node);
    } else {
      stream.stack.pop_back();
    }
  }
  for (const LostRange &range : lost)
    addLost(stream, range);
  return Error::success();
}
