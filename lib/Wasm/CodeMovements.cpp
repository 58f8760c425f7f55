//===- CodeMovements.cpp --------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Wasm/CodeMovements.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace warpo::wasm;

void CodeMovements::requestAll(const Module &module) {
  for (uint32_t i = module.importedFunctionCount(); i != module.functionCount(); ++i)
    request(i);
}

uint32_t CodeMovements::newOffset(uint32_t function, uint32_t offset) const {
  auto found = runs_.find(function);
  if (found == runs_.end())
    return offset;
  const std::vector<CopiedRun> &runs = found->second;
  auto next = llvm::upper_bound(
      runs, offset, [](uint32_t place, const CopiedRun &run) { return place < run.oldOffset; });
  if (next == runs.begin())
    return offset;
  const CopiedRun &run = *std::prev(next);
  uint64_t moved = run.newOffset + (offset - run.oldOffset);
  // Between two runs a number was replaced, perhaps by a shorter one.
  if (next != runs.end())
    moved = std::min(moved, next->newOffset);
  return uint32_t(moved);
}
