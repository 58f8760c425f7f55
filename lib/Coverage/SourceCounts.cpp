//===- SourceCounts.cpp ---------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Coverage/SourceCounts.h"
#include "warpo/Coverage/CountedCode.h"
#include "warpo/Support/SourcePaths.h"
#include "warpo/Wasm/FunctionNames.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace warpo;

namespace {

/// A function while its sums are collected.
struct FunctionSums {
  uint64_t executions = 0;
  uint64_t instructions = 0;
  /// Lines of its file, in any order, perhaps several times.
  std::vector<uint32_t> lines;

  void add(const FunctionSums &other) {
    executions = SaturatingAdd(executions, other.executions);
    instructions = SaturatingAdd(instructions, other.instructions);
    append_range(lines, other.lines);
  }
};

/// A file while its sums are collected.
struct FileSums {
  std::map<uint32_t, CountedLine> lines;
  std::map<std::pair<uint32_t, std::string>, FunctionSums> functions;
  std::map<uint32_t, std::vector<InlinedCalls>> inlined;
};

class SourceCounter {
public:
  SourceCounter(const ModuleCounts &counts, const ModulePlaces &places)
      : counts_(counts), places_(places), names_(counts.module()), sums_(places.files.size() + 1) {}

  void count(const FunctionCounts &function, const FunctionPlaces &places);
  SourceCounts take();

private:
  /// Code of a function: its own or an inlined instance.
  struct OwnCode {
    Inlinee function;
    /// The place of the inlined call; both are 0 for the function itself.
    uint32_t callFile = 0;
    uint32_t callLine = 0;
    FunctionSums sums = {};
    bool isSeen = false;
  };

  std::vector<OwnCode> ownCodeOf(const FunctionPlaces &places) const;
  void addInlined(const OwnCode &code, uint32_t into);
  static void addBranch(CountedLine &line, const FlowBranch &branch, const FlowCounts &counts);
  void addFunction(const Inlinee &function, StringRef name, const FunctionSums &sums) {
    if (function.file && function.line)
      sums_[function.file].functions[{function.line, name.str()}].add(sums);
  }

  const ModuleCounts &counts_;
  const ModulePlaces &places_;
  wasm::FunctionNames names_;
  /// By number of the file; number 0 is an unknown file.
  std::vector<FileSums> sums_;
  uint64_t instructions_ = 0;
};

} // namespace

// By number of the call, the function itself first.
std::vector<SourceCounter::OwnCode> SourceCounter::ownCodeOf(const FunctionPlaces &places) const {
  std::vector<OwnCode> code{{{places.name, places.file, places.line}}};
  for (const InlinedCall &call : places.calls)
    code.push_back(
        {call.inlinee ? places_.inlinees[call.inlinee - 1] : Inlinee(), call.file, call.line});
  return code;
}

static void add(std::vector<InlinedCalls> &sums, const InlinedCalls &calls) {
  auto found =
      partition_point(sums, [&](const InlinedCalls &each) { return each.callee < calls.callee; });
  if (found == sums.end() || found->callee != calls.callee)
    found = sums.insert(found, {calls.callee, 0, 0, {}});
  InlinedCalls &sum = *found;
  sum.executions = SaturatingAdd(sum.executions, calls.executions);
  sum.instructions = SaturatingAdd(sum.instructions, calls.instructions);
  std::vector<uint32_t> into;
  std::set_union(sum.into.begin(), sum.into.end(), calls.into.begin(), calls.into.end(),
                 std::back_inserter(into));
  sum.into = std::move(into);
}

void SourceCounter::addInlined(const OwnCode &code, uint32_t into) {
  if (!code.callFile || !code.callLine)
    return;
  add(sums_[code.callFile].inlined[code.callLine], {places_.name(code.function.name).str(),
                                                    code.sums.executions,
                                                    code.sums.instructions,
                                                    {into}});
}

void SourceCounter::addBranch(CountedLine &line, const FlowBranch &branch,
                              const FlowCounts &counts) {
  CountedBranch counted;
  for (uint32_t arm : branch.arms)
    counted.arms.push_back(counts.edges[arm]);
  line.branches.push_back(std::move(counted));
}

void SourceCounter::count(const FunctionCounts &function, const FunctionPlaces &places) {
  CopiedCode copies;
  std::vector<OwnCode> code = ownCodeOf(places);
  // Most instructions have the place and the count of the previous one.
  std::tuple<uint32_t, uint32_t, uint32_t, uint32_t, uint64_t> last;
  CountedLine *line = nullptr;
  forEachInstruction(counts_.module(), function, places, [&](const CountedInstruction &each) {
    OwnCode &own = code[each.call];
    // A call was made as often as the first located instruction of its code.
    if (!std::exchange(own.isSeen, true))
      own.sums.executions = each.executions;
    own.sums.instructions = SaturatingAdd(own.sums.instructions, each.executions);
    instructions_ = SaturatingAdd(instructions_, each.executions);
    if (!each.line)
      return;
    if (std::vector<uint32_t> &lines = own.sums.lines;
        each.file == own.function.file && (lines.empty() || lines.back() != each.line))
      lines.push_back(each.line);
    std::tuple place(each.call, each.file, each.line, each.discriminator, each.executions);
    if (!line || place != last) {
      copies.add({each.call, each.file, each.line}, each.discriminator, each.executions);
      line = &sums_[each.file].lines[each.line];
      last = place;
    }
    line->instructions = SaturatingAdd(line->instructions, each.executions);
    if (each.branch)
      addBranch(*line, *each.branch, function.counts);
  });
  copies.addUp([&](const CopiedCode::Place &place) -> uint64_t & {
    return sums_[place.major].lines[place.minor].executions;
  });
  StringRef linkageName = places_.name(places.name);
  code.front().sums.executions = function.counts.entries();
  addFunction(code.front().function,
              linkageName.empty() ? names_[function.index] : linkageName.str(), code.front().sums);
  for (const OwnCode &inlined : ArrayRef(code).drop_front())
    if (inlined.isSeen) {
      addFunction(inlined.function, places_.name(inlined.function.name), inlined.sums);
      addInlined(inlined, function.index);
    }
}

SourceCounts SourceCounter::take() {
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
    for (const auto &[line, calls] : sums.inlined)
      for (const InlinedCalls &each : calls)
        add(file.inlined[line], each);
    for (const auto &[function, added] : sums.functions)
      file.functions[function].add(added);
  }
  SourceCounts result;
  result.instructions = instructions_;
  for (const Inlinee &function : places_.dropped)
    if (function.file && function.line)
      result.dropped.push_back(
          {plainPath(places_.file(function.file)).str(),
           {places_.name(function.name).str(), function.line, function.line, 0, 0, {}}});
  llvm::sort(result.dropped, [](const DroppedFunction &a, const DroppedFunction &b) {
    return std::tie(a.path, a.function.line, a.function.name) <
           std::tie(b.path, b.function.line, b.function.name);
  });
  for (auto &[path, sums] : files) {
    CountedFile file{path, std::move(sums.lines), {}, std::move(sums.inlined)};
    for (auto &[function, sum] : sums.functions) {
      llvm::sort(sum.lines);
      sum.lines.erase(llvm::unique(sum.lines), sum.lines.end());
      uint32_t last = sum.lines.empty() ? 0 : sum.lines.back();
      file.functions.push_back({function.second, function.first, std::max(function.first, last),
                                sum.executions, sum.instructions, std::move(sum.lines)});
    }
    result.files.push_back(std::move(file));
  }
  return result;
}

SourceCounts warpo::countSource(const ModuleCounts &counts, const ModulePlaces &places) {
  SourceCounter counter(counts, places);
  forEachLocated(counts, places,
                 [&](const FunctionCounts &function, const FunctionPlaces &functionPlaces) {
                   counter.count(function, functionPlaces);
                 });
  return counter.take();
}

void SourceCounts::countDropped() {
  std::map<std::string, std::vector<CountedFunction>> added;
  for (DroppedFunction &each : std::exchange(dropped, {}))
    added[each.path].push_back(std::move(each.function));
  for (CountedFile &file : files)
    if (auto node = added.extract(file.path)) {
      append_range(file.functions, node.mapped());
      llvm::sort(file.functions, [](const CountedFunction &a, const CountedFunction &b) {
        return std::tie(a.line, a.name) < std::tie(b.line, b.name);
      });
    }
  for (auto &[path, functions] : added)
    files.push_back({path, {}, std::move(functions), {}});
  llvm::sort(files, [](const CountedFile &a, const CountedFile &b) { return a.path < b.path; });
}

static void add(CoverageSums::Share &share, uint64_t executions) {
  ++share.all;
  share.executed += executions != 0;
}

CoverageSums::Share warpo::branchesOf(const CountedLine &line) {
  CoverageSums::Share share;
  for (const CountedBranch &branch : line.branches)
    for (uint64_t arm : branch.arms)
      add(share, arm);
  return share;
}

CoverageSums warpo::sumsOf(const CountedFile &file) {
  CoverageSums sums;
  for (const CountedFunction &function : file.functions)
    add(sums.functions, function.executions);
  for (const auto &[number, line] : file.lines) {
    add(sums.lines, line.executions);
    CoverageSums::Share branches = branchesOf(line);
    sums.branches.executed += branches.executed;
    sums.branches.all += branches.all;
  }
  return sums;
}

void CoverageSums::add(const CoverageSums &other) {
  for (auto share : {&CoverageSums::functions, &CoverageSums::lines, &CoverageSums::branches}) {
    (this->*share).executed += (other.*share).executed;
    (this->*share).all += (other.*share).all;
  }
}
