//===- SourceCounts.cpp ---------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Coverage/SourceCounts.h"
#include "warpo/Support/SourcePaths.h"
#include "warpo/Wasm/FunctionNames.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace warpo;

namespace {

/// A file, while it is counted.
struct FileSums {
  std::map<uint32_t, CountedLine> lines;
  std::map<std::pair<uint32_t, std::string>, uint64_t> functions;
};

class SourceCounter {
public:
  SourceCounter(const ModuleCounts &counts, const ModulePlaces &places)
      : counts_(counts), places_(places), names_(counts.module()), sums_(places.files.size() + 1) {}

  void count(const FunctionCounts &function, const FunctionPlaces &places);
  std::vector<CountedFile> take();

private:
  /// A line of one instance of its code: the call that was inlined (0: the function), the file and
  /// the line.
  using Place = std::pair<uint64_t, uint32_t>;

  void addFunction(uint32_t file, uint32_t line, StringRef name, uint64_t executions) {
    if (file && line) {
      uint64_t &sum = sums_[file].functions[{line, name.str()}];
      sum = SaturatingAdd(sum, executions);
    }
  }
  void addInlined(const FunctionPlaces &places, ArrayRef<std::optional<uint64_t>> calls);

  const ModuleCounts &counts_;
  const ModulePlaces &places_;
  wasm::FunctionNames names_;
  wasm::FuelCosts costs_;
  /// By number of the file; that of number 0 is not known.
  std::vector<FileSums> sums_;
};

} // namespace

/// Passes a list that rises by offset.
template <typename T> static void advance(ArrayRef<T> &rest, uint32_t offset, const T *&last) {
  while (!rest.empty() && rest.front().offset <= offset) {
    last = &rest.front();
    rest = rest.drop_front();
  }
}

// A call was made as often as the first of its code that stands anywhere.
void SourceCounter::addInlined(const FunctionPlaces &places,
                               ArrayRef<std::optional<uint64_t>> calls) {
  for (auto [call, executions] : zip_equal(places.calls, calls))
    if (executions && call.inlinee) {
      const Inlinee &inlinee = places_.inlinees[call.inlinee - 1];
      addFunction(inlinee.file, inlinee.line, places_.name(inlinee.name), *executions);
    }
}

void SourceCounter::count(const FunctionCounts &function, const FunctionPlaces &places) {
  const wasm::Module &module = counts_.module();
  const wasm::ByteRange &body = module.bodies[function.index - module.importedFunctionCount()];
  DenseMap<Place, uint64_t> instances;
  std::vector<std::optional<uint64_t>> calls(places.calls.size());
  ArrayRef<LineRow> rows = places.rows;
  ArrayRef<CallChange> changes = places.changes;
  ArrayRef<FlowBranch> branches = function.graph.branches;
  const LineRow *row = nullptr;
  const CallChange *change = nullptr;
  uint32_t run = 0;
  const std::vector<FlowRun> &runs = function.graph.runs;

  ByteCursor cursor = body.cursor();
  wasm::skipLocals(cursor);
  wasm::CodeWalker walker(cursor);
  for (wasm::Instruction instruction; walker.next(instruction);) {
    auto offset = uint32_t(instruction.begin - body.bytes.data());
    while (run + 1 != runs.size() && runs[run + 1].begin <= offset)
      ++run;
    advance(rows, places.start + offset, row);
    advance(changes, places.start + offset, change);
    if (offset >= runs[run].end || !costs_[*instruction.info])
      continue; // nothing reaches it, or it is nothing to execute
    uint64_t executions = function.counts.runs[run];
    uint32_t call = change ? change->call : 0;
    if (call && !calls[call - 1])
      calls[call - 1] = executions;
    // Branches of one run rise with it.
    const FlowBranch *branch = nullptr;
    if (!branches.empty() && branches.front().offset == offset) {
      branch = &branches.front();
      branches = branches.drop_front();
    }
    if (!row || !row->line || !row->file)
      continue;
    uint64_t &instance = instances[{uint64_t(call) << 32 | row->file, row->line}];
    instance = std::max(instance, executions);
    CountedLine &line = sums_[row->file].lines[row->line];
    line.instructions = SaturatingAdd(line.instructions, executions);
    if (!branch)
      continue;
    CountedBranch counted;
    for (uint32_t arm : branch->arms)
      counted.arms.push_back(function.counts.edges[arm]);
    line.branches.push_back(std::move(counted));
  }
  for (auto [place, executions] : instances) {
    uint64_t &sum = sums_[uint32_t(place.first)].lines[place.second].executions;
    sum = SaturatingAdd(sum, executions);
  }
  StringRef linkageName = places_.name(places.name);
  addFunction(places.file, places.line,
              linkageName.empty() ? names_[function.index] : linkageName.str(),
              function.counts.entries());
  addInlined(places, calls);
}

std::vector<CountedFile> SourceCounter::take() {
  // Compilers may give a file several numbers.
  std::map<std::string, FileSums> files;
  for (auto [number, sums] : enumerate(sums_)) {
    if (!number || (sums.lines.empty() && sums.functions.empty()))
      continue;
    FileSums &file = files[plainPath(places_.file(uint32_t(number))).str()];
    for (auto &[number, line] : sums.lines) {
      CountedLine &sum = file.lines[number];
      sum.executions = SaturatingAdd(sum.executions, line.executions);
      sum.instructions = SaturatingAdd(sum.instructions, line.instructions);
      append_range(sum.branches, line.branches);
    }
    for (const auto &[function, executions] : sums.functions) {
      uint64_t &sum = file.functions[function];
      sum = SaturatingAdd(sum, executions);
    }
  }
  std::vector<CountedFile> result;
  for (auto &[path, sums] : files) {
    CountedFile file{path, std::move(sums.lines), {}};
    for (const auto &[function, executions] : sums.functions)
      file.functions.push_back({function.second, function.first, executions});
    result.push_back(std::move(file));
  }
  return result;
}

std::vector<CountedFile> warpo::countSource(const ModuleCounts &counts,
                                            const ModulePlaces &places) {
  SourceCounter counter(counts, places);
  ArrayRef<FunctionPlaces> rest = places.functions;
  counts.forEach([&](const FunctionCounts &function) {
    while (!rest.empty() && rest.front().index < function.index)
      rest = rest.drop_front();
    if (!rest.empty() && rest.front().index == function.index)
      counter.count(function, rest.front());
  });
  return counter.take();
}

CoverageSums warpo::sumsOf(const CountedFile &file) {
  CoverageSums sums;
  auto add = [](CoverageSums::Share &share, uint64_t executions) {
    ++share.all;
    share.executed += executions != 0;
  };
  for (const CountedFunction &function : file.functions)
    add(sums.functions, function.executions);
  for (const auto &[number, line] : file.lines) {
    add(sums.lines, line.executions);
    for (const CountedBranch &branch : line.branches)
      for (uint64_t arm : branch.arms)
        add(sums.branches, arm);
  }
  return sums;
}
