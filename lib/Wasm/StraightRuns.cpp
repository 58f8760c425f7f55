//===- StraightRuns.cpp ---------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Wasm/StraightRuns.h"
#include "warpo/Wasm/OpcodeNames.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace warpo;
using namespace warpo::wasm;

void StraightRunFinder::beginRun(const uint8_t *begin, RunPlace place) {
  runs_.push_back({begin, 0, place});
  reached_ = true;
}

// Marks the targets of an instruction's labels; 0 is the innermost open block.
void StraightRunFinder::branch() {
  for (uint32_t label : labels_)
    frames_[frames_.size() - 1 - label].isTarget = true;
}

void StraightRunFinder::open(const Instruction &instruction) {
  uint8_t code = *instruction.begin;
  if (reached_)
    branch(); // the handlers of try_table
  frames_.push_back({noRun, reached_, false, code == "if"_op});
  if (!reached_)
    return;
  if (code == "if"_op) {
    beginRun(instruction.end, RunPlace::elsewhere);
  } else if (code == "loop"_op) {
    // Whether it has a back edge is known later.
    frames_.back().loopRun = uint32_t(runs_.size());
    beginRun(instruction.end, RunPlace::loopHead);
  }
}

void StraightRunFinder::nextPart(const Instruction &instruction) {
  Frame &frame = frames_.back();
  frame.isTarget |= reached_;
  frame.mayBeSkipped = false;
  reached_ = frame.entered;
  if (!reached_)
    return;
  beginRun(instruction.end, RunPlace::elsewhere);
  if (*instruction.begin != "else"_op)
    runs_.back().cost = costs_[*instruction.info];
}

void StraightRunFinder::close(const Instruction &instruction) {
  Frame frame = frames_.back();
  frames_.pop_back();
  if (frame.loopRun != noRun) {
    if (!frame.isTarget)
      runs_[frame.loopRun].begin = nullptr;
  } else if (frame.isTarget || (frame.mayBeSkipped && frame.entered)) {
    beginRun(instruction.end, RunPlace::elsewhere);
  }
}

void StraightRunFinder::visit(const Instruction &instruction) {
  OpcodeRole role = instruction.info->role;
  bool arrivesBehind = role == OpcodeRole::continues && *instruction.begin != "else"_op;
  if (reached_ && !arrivesBehind)
    runs_.back().cost += costs_[*instruction.info];
  switch (role) {
  case OpcodeRole::plain:
    return;
  case OpcodeRole::opens:
    return open(instruction);
  case OpcodeRole::continues:
    return nextPart(instruction);
  case OpcodeRole::closes:
    return close(instruction);
  case OpcodeRole::branches:
    if (!reached_)
      return;
    branch();
    return beginRun(instruction.end, RunPlace::elsewhere);
  case OpcodeRole::leaves:
  case OpcodeRole::returns:
  case OpcodeRole::tailCalls:
    // The label of `rethrow` names the exception.
    if (reached_ && *instruction.begin != "rethrow"_op)
      branch();
    reached_ = false;
    return;
  }
}

// Merges runs without `begin` into the run before them, from the back, and drops runs that no
// instrumentation needs.
void StraightRunFinder::collect() {
  for (size_t i = runs_.size() - 1; i != 0; --i)
    if (!runs_[i].begin)
      runs_[i - 1].cost += runs_[i].cost;
  llvm::erase_if(runs_, [](const StraightRun &run) {
    return !run.begin || (run.place == RunPlace::elsewhere && !run.cost);
  });
}

const std::vector<StraightRun> &StraightRunFinder::find(ByteCursor &cursor) {
  frames_.assign(1, {noRun, true, false, false});
  runs_.clear();
  beginRun(cursor.position(), RunPlace::entry);
  CodeWalker walker(cursor, &labels_);
  for (Instruction instruction; walker.next(instruction);)
    visit(instruction);
  collect();
  return runs_;
}
