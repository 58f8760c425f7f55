//===- TaskRoots.cpp ------------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Slice/TaskRoots.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace warpo;

TaskRoots::TaskRoots(const RecordHeader &header, FunctionTable &functions,
                     const CallTreeOptions &limits, EventSink &next)
    : ForwardingSink(next), header_(header), functions_(functions), limits_(limits),
      waitFunction_(functions.pseudoFunction(waitForTask)),
      otherFunction_(functions.pseudoFunction("(other)")),
      deeperFunction_(functions.pseudoFunction("(deeper)")) {}

TaskRoots::Stream &TaskRoots::streamOf(StreamIndex index) {
  if (index >= streams_.size())
    streams_.resize(index + 1);
  return streams_[index];
}

const TaskRoots::StackTop &TaskRoots::topOf(uint32_t stack) {
  ArrayRef<ResolvedStack> stacks = functions_.stacks();
  for (auto next = uint32_t(tops_.size()); next <= stack; ++next) {
    StackTop around = tops_[stacks[next].parent];
    tops_.push_back(around.depth > limits_.maxDepth ? around : StackTop{next, around.depth + 1});
  }
  return tops_[stack];
}

// A chain of tasks that each start the next one makes ever longer paths, so nothing is added to a
// path that is already too deep.
TaskRoots::PathIndex TaskRoots::pathTo(uint32_t stack, PathIndex around) {
  uint64_t depth = paths_[around].depth;
  if (depth > limits_.maxDepth)
    return around;
  const StackTop &top = topOf(stack);
  auto [entry, isNew] = pathOf_.try_emplace({around, top.stack}, PathIndex(paths_.size()));
  if (isNew)
    paths_.push_back({around, top.stack, depth + top.depth});
  return entry->second;
}

void TaskRoots::take(const RecordedSwitch &change) {
  streamOf(std::max(change.stream, change.from));
  Stream &stream = streams_[change.stream];
  Stream &from = streams_[change.from];
  if (change.kind == RecordedSwitch::Kind::returns) {
    if (stream.waitsSince && change.time > *stream.waitsSince)
      stream.waits.push({*stream.waitsSince, change.time});
    stream.waitsSince.reset();
    return;
  }
  if (change.stack != 0)
    from.waitsSince = change.at;
  if (change.kind != RecordedSwitch::Kind::starts)
    return;
  stream.declaredPath = change.stack == 0 ? 0 : pathTo(change.stack, from.declaredPath);
  stream.starts.push({change.time, stream.declaredPath});
}

void TaskRoots::takeSwitches() {
  for (; taken_ < header_.switches.size(); ++taken_)
    take(header_.switches[taken_]);
}

FunctionIndex TaskRoots::frameOf(PathIndex path) {
  FunctionIndex &frame = paths_[path].frame;
  if (frame == noFunction) {
    frame = functions_.pseudoFunction("(task of path " + std::to_string(path) + ")");
    pathOfFrame_.emplace(frame, path);
  }
  return frame;
}

// If several tasks were started at the same time, each gets one of the calls that begin then.
void TaskRoots::choosePath(Stream &stream, uint64_t time) {
  while (stream.starts.front() && stream.starts.front()->time < time)
    stream.path = stream.starts.pop().path;
  if (stream.starts.front() && stream.starts.front()->time == time)
    stream.path = stream.starts.pop().path;
}

void TaskRoots::addWaits(Stream &stream, uint64_t time, const Counts &counts) {
  while (stream.waits.front() && stream.waits.front()->to <= time) {
    Wait wait = stream.waits.pop();
    // If a window begins during the wait, the waiting call is unknown.
    if (stream.depth == 0 || wait.from < stream.lastTime)
      continue;
    made_.append(Event{wait.from, waitFunction_, EventKind::begin}, counts);
    made_.append(Event{wait.to, waitFunction_, EventKind::endReturned}, counts);
    stream.lastTime = wait.to;
  }
}

void TaskRoots::take(Stream &stream, const Event &event, const Counts &counts) {
  if (event.kind == EventKind::begin && stream.depth++ == 0) {
    choosePath(stream, event.time);
    stream.openPath = stream.path;
    if (stream.openPath != 0)
      made_.append(Event{event.time, frameOf(stream.openPath), EventKind::begin}, counts);
  }
  made_.append(event, counts);
  if (isEnd(event.kind) && --stream.depth == 0 && stream.openPath != 0)
    made_.append(Event{event.time, frameOf(stream.openPath), event.kind}, counts);
  stream.lastTime = event.time;
}

Error TaskRoots::events(const EventBatch &batch) {
  takeSwitches();
  Stream &stream = streamOf(batch.stream);
  made_.start(ColumnSet(batch.counts));
  ArrayRef<LostRange> lost = batch.lost;
  auto takeLosses = [&](size_t position) {
    for (const LostRange &range : takeUpTo(lost, position)) {
      made_.append(range);
      stream.lastTime = range.to;
    }
  };
  // Before a column was first known, it had the first known value.
  Counts counts = batch.counts.at(0);
  counts = maxOf(counts, stream.lastCounts);
  for (size_t i = 0; i < batch.events.size(); ++i) {
    takeLosses(i);
    addWaits(stream, batch.events[i].time, counts);
    batch.counts.update(counts, i);
    take(stream, batch.events[i], counts);
  }
  takeLosses(batch.events.size());
  stream.lastCounts = counts;
  return next_.events(made_.batch(batch.stream));
}

CallTree TaskRoots::join(const CallTree &tree) {
  CallTree joined;
  ArrayRef<ResolvedStack> stacks = functions_.stacks();
  // The new node of each context, or nothing if it is a wait; and the depth of each new node.
  std::vector<std::optional<NodeIndex>> places{CallTree::root};
  std::vector<uint32_t> depths{0};
  auto isOf = [&](NodeIndex node, FunctionIndex function) {
    return node != CallTree::root && joined[node].function == function;
  };
  auto enter = [&](NodeIndex parent, FunctionIndex function) {
    if (depths[parent] >= limits_.maxDepth) {
      if (isOf(parent, deeperFunction_))
        return parent;
      function = deeperFunction_;
    }
    bool isFull = joined.size() > limits_.maxContexts && parent != CallTree::root;
    if (isFull && !joined.findChild(parent, function)) {
      if (isOf(parent, otherFunction_))
        return parent;
      function = otherFunction_;
    }
    NodeIndex node = joined.child(parent, function);
    if (node == depths.size())
      depths.push_back(depths[parent] + 1);
    return node;
  };
  for (NodeIndex node = 1; node < tree.size(); ++node) {
    const CallTree::Node &context = tree[node];
    std::optional<NodeIndex> place = places[context.parent];
    auto path = pathOfFrame_.find(context.function);
    if (context.function == waitFunction_) {
      place = std::nullopt;
    } else if (place && path != pathOfFrame_.end()) {
      SmallVector<FunctionIndex> calls;
      for (PathIndex at = path->second; at != 0; at = paths_[at].around)
        for (uint32_t stack = paths_[at].stack; stack != 0; stack = stacks[stack].parent)
          calls.push_back(stacks[stack].function);
      for (FunctionIndex function : reverse(calls))
        place = enter(*place, function);
    } else if (place) {
      place = enter(*place, context.function);
      joined.addCalls(*place, context.calls);
      // The tree itself reports calls that it already had there.
      if (isOf(*place, deeperFunction_) && context.function != deeperFunction_)
        callsTooDeep_ += context.calls;
      if (isOf(*place, otherFunction_) && context.function != otherFunction_)
        callsInOther_ += context.calls;
    }
    places.push_back(place);
    if (!place)
      continue;
    joined.addTime(*place, context.selfTime);
    for (ColumnIndex column = 0; column < maxColumns; ++column)
      if (tree.hasColumn(column))
        joined.addCount(*place, column, tree.selfCount(node, column));
  }
  return joined;
}
