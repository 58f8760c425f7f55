//===- CodeMap.cpp --------------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Places/CodeMap.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace warpo;

void CodeMap::add(uint32_t instrumented, uint32_t original) {
  if (runs.empty() || instrumented - original != runs.back().instrumented - runs.back().original)
    runs.push_back({instrumented, original});
}

uint32_t CodeMap::originalOf(uint64_t fileOffset) const {
  if (fileOffset < code || fileOffset - code >= end)
    return 0;
  auto offset = uint32_t(fileOffset - code);
  auto next = partition_point(runs, [=](const Run &run) { return run.instrumented <= offset; });
  if (next == runs.begin())
    return 0;
  const Run &run = *std::prev(next);
  uint64_t original = uint64_t(run.original) + (offset - run.instrumented);
  // Between two runs lies what has been inserted, or a number in the place of a shorter one.
  if (next != runs.end() && original > next->original)
    original = next->original;
  return original <= UINT32_MAX ? uint32_t(original) : 0;
}
