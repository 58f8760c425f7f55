//===- FlowGraph.cpp ------------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Counts/FlowGraph.h"
#include "warpo/Wasm/CodeTraits.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace warpo;
using namespace warpo::wasm::opcode_names;
using wasm::Instruction;
using wasm::OpcodeRole;

static bool resumes(uint8_t code) {
  return code == "resume"_op || code == "resume_throw"_op || code == "resume_throw_ref"_op;
}

// Whether other code runs before the code behind the instruction, which may never run.
static bool isCall(uint8_t code) {
  return code == "call"_op || code == "call_indirect"_op || code == "call_ref"_op ||
         code == "suspend"_op || code == "switch"_op;
}

FlowGraphFinder::FlowGraphFinder(const wasm::FuelCosts &costs, bool callsEndRuns)
    : costs_(costs), callsEndRuns_(callsEndRuns) {
  constexpr uint8_t withBranches = 0xfb; // the prefix of br_on_cast
  for (unsigned code = 0; code != passedForms_.size(); ++code) {
    const wasm::OpcodeInfo &info = wasm::oneByteOpcodes[code];
    onlyBelongsToRuns_[code] = info.role == OpcodeRole::plain && !isCall(uint8_t(code)) &&
                               code != "ref.func"_op && code != withBranches;
    if (onlyBelongsToRuns_[code] && !wasm::instructionTraits[code])
      passedForms_[code] = {wasm::shortForms[code], costs[info]};
  }
}

uint32_t FlowGraphFinder::beginRun(const uint8_t *begin) {
  graph_.runs.push_back({offsetOf(begin), offsetOf(begin), 0, loopDepth_, false});
  reached_ = true;
  return current();
}

// Extends the last run, to code that can be reached.
inline void FlowGraphFinder::addToRun(const uint8_t *end, uint64_t cost) {
  FlowRun &run = graph_.runs.back();
  run.cost += cost;
  run.end = offsetOf(end);
}

uint32_t FlowGraphFinder::addEdge(uint32_t from, uint32_t to) {
  graph_.edges.push_back({from, to});
  return uint32_t(graph_.edges.size() - 1);
}

// An edge to a place that is not there yet, or to the head of a loop.
uint32_t FlowGraphFinder::arriveAt(Frame &frame, uint32_t from) {
  if (frame.loopRun != none) {
    frame.isRepeated = true;
    return addEdge(from, frame.loopRun);
  }
  frame.arriving = addEdge(from, frame.arriving);
  return frame.arriving;
}

// 0 is the innermost open block.
uint32_t FlowGraphFinder::arriveAtLabel(uint32_t label, uint32_t from) {
  return arriveAt(frames_[frames_.size() - 1 - label], from);
}

// Begins a run behind the current one, which goes there unless it leaves the function.
void FlowGraphFinder::continueIn(const uint8_t *begin) {
  uint32_t before = current();
  addEdge(before, beginRun(begin));
}

// Of the current run, which ends there. Without arms so far.
FlowBranch &FlowGraphFinder::addBranch(const Instruction &instruction) {
  FlowBranch &branch = graph_.branches.emplace_back();
  branch.offset = offsetOf(instruction.begin);
  branch.run = current();
  return branch;
}

void FlowGraphFinder::open(const Instruction &instruction) {
  uint8_t code = *instruction.begin;
  Frame frame;
  frame.entered = reached_;
  // A type is 0x40 for none, the negative code of a value, or an index; a loop's label takes the
  // parameters, which only a type with an index has.
  uint8_t type = *instruction.immediates;
  frame.takesNoValues =
      type == wasm::emptyBlockType || (code == "loop"_op && (type & 0xc0) == 0x40);
  if (reached_ && (code == "try"_op || code == "try_table"_op)) {
    frame.protects = true;
    ++protecting_;
    for (uint32_t label : labels_) // the handlers of try_table
      arriveAtLabel(label, FlowEdge::outside);
  }
  if (reached_ && code == "if"_op) {
    uint32_t before = current();
    frame.skipping = addEdge(before, none);
    FlowBranch &branch = addBranch(instruction);
    branch.arms.push_back(addEdge(before, beginRun(instruction.end)));
    branch.arms.push_back(frame.skipping);
  } else if (reached_ && code == "loop"_op) {
    // Whether anything goes back to it is known only behind its head.
    ++loopDepth_;
    frame.loopEdge = uint32_t(graph_.edges.size());
    continueIn(instruction.end);
    frame.loopRun = current();
  }
  frames_.push_back(frame);
}

void FlowGraphFinder::nextPart(const Instruction &instruction) {
  Frame &frame = frames_.back();
  if (reached_)
    arriveAt(frame, current());
  if (frame.protects) {
    frame.protects = false;
    --protecting_;
  }
  reached_ = false;
  if (!frame.entered)
    return;
  uint32_t part = beginRun(instruction.end);
  if (frame.skipping != none) {
    graph_.edges[frame.skipping].to = part;
    frame.skipping = none;
    return;
  }
  // A handler, or an `else` of no `if`, which engines refuse.
  graph_.runs.back().cost = costs_[*instruction.info];
  addEdge(FlowEdge::outside, part);
}

void FlowGraphFinder::close(const Instruction &instruction) {
  Frame frame = frames_.back();
  frames_.pop_back();
  if (frame.protects)
    --protecting_;
  if (frame.loopRun != none) {
    --loopDepth_;
    if (!frame.isRepeated) {
      falseHeads_.push_back(frame.loopRun);
      falseEdges_.push_back(frame.loopEdge);
    }
    return;
  }
  bool isFunction = frames_.empty();
  if (frame.arriving == none && frame.skipping == none) {
    if (isFunction && reached_)
      addEdge(current(), FlowEdge::outside);
    return;
  }
  uint32_t behind = FlowEdge::outside;
  if (isFunction) {
    if (reached_)
      addEdge(current(), behind);
  } else {
    uint32_t before = reached_ ? current() : none;
    behind = beginRun(instruction.end);
    if (before != none)
      addEdge(before, behind);
  }
  for (uint32_t edge = frame.arriving; edge != none;) {
    uint32_t next = graph_.edges[edge].to;
    graph_.edges[edge].to = behind;
    edge = next;
  }
  if (frame.skipping != none)
    graph_.edges[frame.skipping].to = behind;
}

void FlowGraphFinder::branch(const Instruction &instruction) {
  uint32_t run = current();
  if (resumes(*instruction.begin)) {
    // Resuming a stack has any number of labels: these are ways, but not a branch of the code.
    for (uint32_t label : labels_)
      arriveAtLabel(label, run);
    ++graph_.calls;
    if (isLeft_ || exceptionsMatter())
      leaveAt(instruction, exceptionsMatter());
    addEdge(run, beginRun(instruction.end));
    return;
  }
  FlowBranch &branch = addBranch(instruction);
  for (uint32_t label : labels_)
    branch.arms.push_back(arriveAtLabel(label, run));
  branch.arms.push_back(addEdge(run, beginRun(instruction.end)));
}

std::vector<uint32_t> warpo::armsOfTable(ArrayRef<uint32_t> labels) {
  std::vector<uint32_t> arms;
  arms.reserve(labels.size());
  DenseMap<uint32_t, uint32_t> armOf;
  for (uint32_t label : labels)
    arms.push_back(armOf.try_emplace(label, armOf.size()).first->second);
  return arms;
}

void FlowGraphFinder::table(const Instruction &instruction) {
  FlowBranch &branch = addBranch(instruction);
  branch.armOfLabel = armsOfTable(labels_);
  for (auto [label, arm] : zip_equal(labels_, branch.armOfLabel)) {
    if (arm == branch.arms.size())
      branch.arms.push_back(arriveAtLabel(label, branch.run));
    // All labels of a table take equally many.
    branch.takesNoValues |= frames_[frames_.size() - 1 - label].takesNoValues;
  }
}

static bool isThrow(uint8_t code) {
  return code == "throw"_op || code == "rethrow"_op || code == "throw_ref"_op;
}

void FlowGraphFinder::leave(const Instruction &instruction) {
  uint8_t code = *instruction.begin;
  if (code == "br_table"_op)
    table(instruction);
  else if (code == "br"_op)
    arriveAtLabel(labels_.front(), current());
  else
    addEdge(current(), FlowEdge::outside);
  graph_.runs.back().endsBadly = code == "unreachable"_op || isThrow(code);
  graph_.throws |= isThrow(code);
  if (isThrow(code) && !protecting_)
    graph_.throwing.push_back(current());
  reached_ = false;
}

void FlowGraphFinder::passPlain(const Instruction &instruction) {
  if (!reached_)
    return;
  bool isCall = ::isCall(*instruction.begin);
  if (isCall && graph_.calls++ == 0 && current() == 0 && !protecting_)
    graph_.certainCall = offsetOf(instruction.begin);
  bool endsAnyway = isCall && exceptionsMatter();
  if (!endsAnyway && !isLeft_)
    return;
  leaveAt(instruction, endsAnyway);
  continueIn(instruction.end);
}

// Adds a way outside from the middle of the code. `isAnyway`: its count follows from the counters.
void FlowGraphFinder::leaveAt(const Instruction &instruction, bool isAnyway) {
  uint32_t edge = addEdge(current(), FlowEdge::outside);
  if (!isAnyway)
    graph_.left.push_back({offsetOf(instruction.begin), edge});
}

// Whether the function was left at this instruction, the next one of the body.
bool FlowGraphFinder::takeLeftAt(uint32_t offset) {
  bool isLeft = false;
  for (; !leftAt_.empty() && leftAt_.front() <= offset; leftAt_ = leftAt_.drop_front()) {
    isLeft = reached_ && leftAt_.front() == offset;
    if (!isLeft && leftAt_.front() >= graph_.runs.front().begin)
      graph_.misplaced.push_back(leftAt_.front());
  }
  return isLeft;
}

void FlowGraphFinder::visit(const Instruction &instruction) {
  OpcodeRole role = instruction.info->role;
  if (instruction.firstImmediate() == wasm::ImmediateKind::function)
    graph_.namedFunctions = std::max(graph_.namedFunctions, uint64_t(instruction.index()) + 1);
  bool arrivesBehind = role == OpcodeRole::continues && *instruction.begin != "else"_op;
  isLeft_ = !leftAt_.empty() && takeLeftAt(offsetOf(instruction.begin));
  if (reached_)
    addToRun(instruction.end, arrivesBehind ? 0 : costs_[*instruction.info]);
  switch (role) {
  case OpcodeRole::plain:
    return passPlain(instruction);
  case OpcodeRole::opens:
    return open(instruction);
  case OpcodeRole::continues:
    return nextPart(instruction);
  case OpcodeRole::closes:
    return close(instruction);
  case OpcodeRole::branches:
    if (reached_)
      branch(instruction);
    return;
  case OpcodeRole::leaves:
  case OpcodeRole::returns:
  case OpcodeRole::tailCalls:
    if (reached_)
      leave(instruction);
    return;
  }
}

// Makes the head of a loop to which nothing goes back part of the run before it.
void FlowGraphFinder::joinLoops() {
  if (falseHeads_.empty())
    return;
  std::vector<uint32_t> numberOf(graph_.runs.size(), 0);
  for (uint32_t head : falseHeads_)
    numberOf[head] = none;
  std::vector<FlowRun> runs;
  for (auto [number, run] : zip_equal(numberOf, graph_.runs)) {
    if (number != none) {
      number = uint32_t(runs.size());
      runs.push_back(run);
      continue;
    }
    runs.back().cost += run.cost;
    runs.back().end = run.end;
    runs.back().endsBadly = run.endsBadly;
    number = uint32_t(runs.size() - 1);
  }
  std::vector<uint32_t> edgeNumber(graph_.edges.size(), 0);
  for (uint32_t edge : falseEdges_)
    edgeNumber[edge] = none;
  std::vector<FlowEdge> edges;
  for (auto [number, edge] : zip_equal(edgeNumber, graph_.edges)) {
    if (number == none)
      continue;
    number = uint32_t(edges.size());
    for (uint32_t *end : {&edge.from, &edge.to})
      if (*end != FlowEdge::outside)
        *end = numberOf[*end];
    edges.push_back(edge);
  }
  for (FlowBranch &branch : graph_.branches) {
    branch.run = numberOf[branch.run];
    for (uint32_t &arm : branch.arms)
      arm = edgeNumber[arm];
  }
  for (LeftAt &left : graph_.left)
    left.edge = edgeNumber[left.edge];
  for (uint32_t &run : graph_.throwing)
    run = numberOf[run];
  graph_.runs = std::move(runs);
  graph_.edges = std::move(edges);
}

Expected<const FlowGraph &> FlowGraphFinder::find(const wasm::ByteRange &body, StringRef fileName,
                                                  ArrayRef<uint32_t> leftAt) {
  body_ = body.bytes.data();
  leftAt_ = leftAt;
  graph_.runs.clear();
  graph_.edges.clear();
  graph_.branches.clear();
  graph_.left.clear();
  graph_.misplaced.clear();
  graph_.throwing.clear();
  graph_.throws = false;
  graph_.namedFunctions = 0;
  graph_.calls = 0;
  graph_.certainCall.reset();
  falseHeads_.clear();
  falseEdges_.clear();
  loopDepth_ = protecting_ = 0;
  Frame function;
  function.entered = true;
  frames_.assign(1, function);
  ByteCursor cursor = body.cursor();
  wasm::skipLocals(cursor);
  beginRun(cursor.position());
  wasm::CodeWalker walker(cursor, &labels_);
  // Of the instructions since the last one that was visited: most only belong to the run.
  uint64_t passedCost = 0;
  uint8_t traits = 0;
  auto passed = [&](uint32_t cost) { passedCost += cost; };
  for (Instruction instruction;;) {
    if (leftAt_.empty())
      walker.passShort(passedForms_, passed);
    if (!walker.next(instruction))
      break;
    traits |= wasm::instructionTraits[*instruction.begin];
    if (onlyBelongsToRuns_[*instruction.begin] && leftAt_.empty()) {
      passedCost += costs_[*instruction.info];
      continue;
    }
    if (reached_)
      addToRun(instruction.begin, passedCost);
    passedCost = 0;
    visit(instruction);
  }
  if (Error error = cursor.takeError(fileName))
    return error;
  graph_.traits = traits;
  graph_.isWhole = cursor.atEnd();
  llvm::append_range(graph_.misplaced, leftAt_);
  joinLoops();
  return graph_;
}
