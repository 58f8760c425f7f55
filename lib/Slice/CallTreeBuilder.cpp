//===- CallTreeBuilder.cpp ------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Slice/CallTree.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <utility>

using namespace llvm;
using namespace warpo;

CallTreeBuilder::CallTreeBuilder(FunctionTable &functions, Options options)
    : options_(options), otherFunction_(functions.pseudoFunction("(other)")),
      deeperFunction_(functions.pseudoFunction("(deeper)")),
      lostFunction_(functions.pseudoFunction("[lost]")),
      waitFunction_(functions.pseudoFunction(waitForTask)) {}

NodeIndex CallTreeBuilder::enter(NodeIndex parent, FunctionIndex function) {
  if (LLVM_LIKELY(tree_.size() <= options_.maxContexts))
    return tree_.child(parent, function);
  return enterFullTree(parent, function);
}

NodeIndex CallTreeBuilder::enterFullTree(NodeIndex parent, FunctionIndex function) {
  if (auto known = tree_.findChild(parent, function))
    return *known;
  // The number of these is bounded: one for each function, and at most one wait for each other
  // context. Waiting time is shown elsewhere, so as (other) it would count twice.
  if (parent == CallTree::root || function == waitFunction_)
    return tree_.child(parent, function);
  ++callsInOther_;
  // Everything below (other) is merged into it, so that a deep stack does not make a chain of them.
  if (tree_[parent].function == otherFunction_)
    return parent;
  return tree_.child(parent, otherFunction_);
}

NodeIndex CallTreeBuilder::enterTooDeep(NodeIndex parent, FunctionIndex function) {
  if (function == waitFunction_)
    return tree_.child(parent, function);
  bool isDeeper = tree_[parent].function == deeperFunction_;
  NodeIndex node = isDeeper ? parent : enter(parent, deeperFunction_);
  // If the tree is full, the call was counted as (other).
  callsTooDeep_ += tree_[node].function == deeperFunction_;
  return node;
}

bool CallTreeBuilder::sumsHold(uint64_t counts) {
  addedTime_ = SaturatingAdd(addedTime_, counts);
  return addedTime_ != UINT64_MAX;
}

void CallTreeBuilder::startColumn(Stream &stream, ColumnIndex column, uint64_t count) {
  if (stream.columns.insert(column))
    stream.lastCounts[column] = count;
}

void CallTreeBuilder::addLost(Stream &stream, const LostRange &range) {
  NodeIndex top = stream.stack[stream.depth];
  if (range.from > stream.lastTime && top != CallTree::root)
    tree_.addTime(top, range.from - stream.lastTime);
  NodeIndex lost = enter(top, lostFunction_);
  tree_.addCalls(lost, 1);
  tree_.addTime(lost, range.to - range.from);
  sumsHold(range.to - std::min(stream.lastTime, range.from));
  stream.lastTime = range.to;
  for (ColumnIndex column = 0; column < maxColumns; ++column)
    if (range.countsTo[column] > 0)
      startColumn(stream, column, range.countsFrom[column]);
  for (ColumnIndex column : stream.columns) {
    uint64_t from = range.countsFrom[column], to = range.countsTo[column];
    uint64_t &last = stream.lastCounts[column];
    if (from > last && top != CallTree::root)
      tree_.addCount(top, column, from - last);
    tree_.addCount(lost, column, to - from);
    last = to;
  }
}

// The hot loop, about 4 ns per event with 50 000 contexts, mostly waiting for the slot of the next
// context. As begins and ends come in practically random order, both execute the same code: an end
// looks up slot 0, which is cached, in vain. Only a call whose first slot does not have its context
// leaves the fast path. `columns` is the number of columns: 0, 1, or maxColumns for any number.
template <bool saturates, size_t columns>
void CallTreeBuilder::foldAs(Stream &stream, ArrayRef<Event> events, const CountColumns &counts) {
  if (stream.stack.size() < stream.depth + events.size() + 2)
    stream.stack.resize(std::max(stream.stack.size() * 2, stream.depth + events.size() + 2));
  NodeIndex *top = stream.stack.data() + stream.depth;
  const NodeIndex *deepest = stream.stack.data() + options_.maxDepth;
  NodeIndex context = *top;
  uint64_t lastTime = stream.lastTime;
  const size_t columnCount = columns == maxColumns ? counts.count() : columns;
  // For each column, its position in the batch and its current value.
  std::array<ColumnIndex, columns> indices;
  std::array<const uint64_t *, columns> values;
  std::array<uint64_t, columns> lastCounts;
  for (size_t i = 0; i < columnCount; ++i) {
    const CountColumns::Column &column = counts.begin()[i];
    indices[i] = column.index;
    values[i] = column.values;
    lastCounts[i] = stream.lastCounts[column.index];
    // Allocates the column.
    tree_.addCount(CallTree::root, column.index, 0);
  }
  for (const Event &event : events) {
    uint64_t begins = event.kind == EventKind::begin;
    if constexpr (saturates)
      tree_.addTime(context, event.time - lastTime);
    else
      tree_.nodes_[context].selfTime += event.time - lastTime;
    lastTime = event.time;
    for (size_t i = 0; i < columnCount; ++i) {
      uint64_t count = *values[i]++;
      uint64_t &self = tree_.selfCounts_[indices[i]][context];
      self = SaturatingAdd(self, count - std::exchange(lastCounts[i], count));
    }
    NodeIndex next = tree_.slots_[tree_.firstSlot(context, event.function) & -begins];
    next &= NodeIndex(-begins);
    uint64_t unknown = !tree_.isChild(next, context, event.function) | (top >= deepest);
    if (LLVM_UNLIKELY(begins & unknown))
      next = top < deepest ? enter(context, event.function) : enterTooDeep(context, event.function);
    tree_.nodes_[next].calls += begins;
    top[1] = next;
    top += 2 * int(begins) - 1;
    // This branch is worth its mispredictions: the processor can continue without waiting for the
    // slot.
    context = begins ? next : *top;
  }
  stream.depth = size_t(top - stream.stack.data());
  stream.lastTime = lastTime;
  // Time in the host belongs to no function.
  tree_.nodes_[CallTree::root].selfTime = 0;
  for (size_t i = 0; i < columnCount; ++i) {
    tree_.selfCounts_[indices[i]][CallTree::root] = 0;
    stream.lastCounts[indices[i]] = lastCounts[i];
  }
}

void CallTreeBuilder::fold(Stream &stream, ArrayRef<Event> events, const CountColumns &counts) {
  if (events.empty())
    return;
  for (const CountColumns::Column &column : counts)
    startColumn(stream, column.index, column.values[0]);
  // Sums beyond 64 bits are rare, so they are checked once per batch.
  bool holds = sumsHold(events.back().time - stream.lastTime);
  if (counts.count() == 1)
    foldAs</*saturates=*/true, 1>(stream, events, counts);
  else if (!counts.empty())
    foldAs</*saturates=*/true, maxColumns>(stream, events, counts);
  else if (LLVM_LIKELY(holds))
    foldAs</*saturates=*/false, 0>(stream, events, counts);
  else
    foldAs</*saturates=*/true, 0>(stream, events, counts);
}

Error CallTreeBuilder::events(const EventBatch &batch) {
  if (batch.stream >= streams_.size())
    streams_.resize(batch.stream + 1);
  Stream &stream = streams_[batch.stream];
  // A batch with columns only has their initial values.
  if (batch.events.empty())
    for (const CountColumns::Column &column : batch.counts)
      startColumn(stream, column.index, column.values[0]);
  size_t folded = 0;
  auto foldUpTo = [&](size_t position) {
    fold(stream, batch.events.slice(folded, position - folded),
         batch.counts.slice(folded, position - folded));
    folded = position;
  };
  for (const LostRange &range : batch.lost) {
    foldUpTo(range.position);
    addLost(stream, range);
  }
  foldUpTo(batch.events.size());
  return Error::success();
}
