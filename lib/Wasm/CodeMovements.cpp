//===- CodeMovements.cpp --------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Wasm/CodeMovements.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace warpo::wasm;

void CodeMovements::begin(uint32_t functions) {
  moved_.clear();
  bodies_.clear();
  if (wantsAll_ || !requested_.empty())
    bodies_.resize(functions);
}

void CodeMovements::add(MovedBodies moved, uint64_t codeSection) {
  ArrayRef<CopiedRun> runs = moved.runs;
  size_t end = runs.size();
  for (const MovedBodies::Body &body : llvm::reverse(moved.bodies)) {
    bodies_[body.function] = {runs.slice(body.firstRun, end - body.firstRun),
                              body.begin - codeSection, body.size};
    end = body.firstRun;
  }
  moved_.push_back(std::move(moved));
}

size_t CodeMovements::totalRuns() const {
  size_t total = 0;
  for (const MovedBodies &moved : moved_)
    total += moved.runs.size();
  return total;
}

uint32_t CodeMovements::newOffset(uint32_t function, uint32_t offset) const {
  ArrayRef<CopiedRun> runs = body(function).runs;
  auto next = llvm::upper_bound(
      runs, offset, [](uint32_t place, const CopiedRun &run) { return place < run.oldOffset; });
  if (next == runs.begin())
    return offset;
  const CopiedRun &run = *std::prev(next);
  uint64_t moved = uint64_t(run.newOffset) + (offset - run.oldOffset);
  // Between two runs a number was replaced, perhaps by a shorter one.
  if (next != runs.end())
    moved = std::min<uint64_t>(moved, next->newOffset);
  return uint32_t(moved);
}
