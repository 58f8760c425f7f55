//===- CodeMap.cpp --------------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Places/CodeMap.h"
#include "PlaceParts.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace warpo;

static bool continues(const CodeMap::Run &run, const CodeMap::Run &last) {
  return run.instrumented - run.original == last.instrumented - last.original;
}

void CodeMap::add(uint32_t instrumented, uint32_t original) {
  if (Run run{instrumented, original}; runs.empty() || !continues(run, runs.back()))
    runs.push_back(run);
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
  // Between two runs is inserted code, or a number that has become longer.
  if (next != runs.end() && original > next->original)
    original = next->original;
  return original <= UINT32_MAX ? uint32_t(original) : 0;
}

// How far an instruction has moved.
static int64_t moved(const CodeMap::Run &run) {
  return int64_t(run.instrumented) - int64_t(run.original);
}

void CodeMapEncoder::add(CodeMap::Run run) {
  if (!isEmpty_ && continues(run, last_))
    return;
  out_.uleb(run.original - last_.original);
  out_.uleb(place_parts::zigzag(moved(run) - moved(last_)));
  last_ = run;
  isEmpty_ = false;
}

void CodeMap::write(ByteWriter &out) const {
  CodeMapEncoder encoder(out);
  encoder.begin(code, end);
  for (const Run &run : runs)
    encoder.add(run);
}

CodeMap CodeMap::read(ByteCursor &cursor, size_t mostRuns) {
  // Of zigzag numbers.
  constexpr uint64_t maxChange = (uint64_t(1) << 34) - 1;
  CodeMap map;
  map.code = cursor.uleb32();
  map.end = cursor.uleb32();
  Run last;
  while (cursor.ok() && !cursor.atEnd()) {
    uint64_t original = uint64_t(last.original) + cursor.uleb32();
    uint64_t change = cursor.uleb64();
    // Below 2^35 in all, whatever the sum.
    int64_t instrumented =
        int64_t(original) + moved(last) + place_parts::differenceOf(change & maxChange);
    if (change > maxChange || original > UINT32_MAX || instrumented > UINT32_MAX ||
        instrumented < int64_t(last.instrumented))
      cursor.fail("a run of code that does not begin after the run before it");
    if (map.runs.size() == mostRuns)
      cursor.fail("more than " + Twine(mostRuns) + " runs of code");
    if (!cursor.ok())
      break;
    last = {uint32_t(instrumented), uint32_t(original)};
    map.runs.push_back(last);
  }
  return map;
}
