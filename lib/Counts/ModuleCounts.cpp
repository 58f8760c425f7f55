//===- ModuleCounts.cpp ---------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Counts/ModuleCounts.h"
#include "warpo/Support/Errors.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace warpo;

Expected<ModuleCounts> ModuleCounts::create(const wasm::Module &module, const CountSums &sums) {
  auto hash = wasm::ModuleIdentity::ofOriginal(module.bytes).originalHash;
  auto found =
      find_if(sums.modules(), [&](const CountData &data) { return data.moduleHash == hash; });
  if (found == sums.modules().end()) {
    std::string others;
    for (const CountData &data : sums.modules())
      others += (others.empty() ? "" : ", ") + toHex(ArrayRef(data.moduleHash), true);
    return fileError(module.fileName,
                     "is module " + toHex(ArrayRef(hash), true) + ", the counts are of " + others);
  }
  const CountData &data = *found;
  auto plan = planCounters(module, data.options);
  if (!plan)
    return plan.takeError();
  if (plan->fingerprint != data.fingerprint || plan->counters != data.counters.size())
    return fileError(module.fileName, "counts of " + countOf(data.counters.size(), "counter") +
                                          " of plan " + utohexstr(data.fingerprint, true) +
                                          ", but the module has " + Twine(plan->counters) +
                                          " of plan " + utohexstr(plan->fingerprint, true) +
                                          ": another version of warpo-instrument planned them");
  ModuleCounts counts(module, data, std::move(*plan));
  if (Error error = counts.findLeftCalls())
    return error;
  return counts;
}

Error ModuleCounts::findLeftCalls() {
  uint64_t code = 0;
  for (const wasm::Section &section : module_.sections)
    if (section.id == wasm::SectionId::code)
      code = section.contents.offset;
  for (auto [place, calls] : data_.left.calls) {
    if (module_.isImported(place.function) || place.function >= module_.functionCount())
      return fileError(module_.fileName, "counts of calls that were left in function " +
                                             Twine(place.function) +
                                             ", which has no code in the module");
    const wasm::ByteRange &body = module_.bodies[place.function - module_.importedFunctionCount()];
    Left &left = left_[place.function];
    uint64_t offset = code + place.code;
    if (offset < body.offset || offset - body.offset >= body.bytes.size()) {
      left.anywhere = SaturatingAdd(left.anywhere, calls);
      continue;
    }
    left.offsets.push_back(uint32_t(offset - body.offset));
    left.calls.push_back(calls);
  }
  return Error::success();
}

// By how much counts of a function may be wrong of whose calls exceptions have left so many. What
// it has thrown by itself did no harm.
static uint64_t leftByExceptions(uint64_t exceptions, const FlowGraph &graph,
                                 const FlowCounts &counts) {
  for (uint32_t run : graph.throwing)
    exceptions -= std::min(exceptions, counts.runs[run]);
  return exceptions;
}

void ModuleCounts::forEach(function_ref<void(const FunctionCounts &)> visit) const {
  wasm::FuelCosts costs;
  FlowGraphFinder finder(costs, data_.options.choice == CounterChoice::all);
  for (const CounterPlan::Function &function : plan_.functions) {
    auto known = left_.find(function.index);
    Left left = known == left_.end() ? Left() : known->second;
    auto callsAt = [&](uint32_t offset) {
      return left.calls[size_t(lower_bound(left.offsets, offset) - left.offsets.begin())];
    };
    // Planning has read the code.
    const FlowGraph &graph =
        cantFail(finder.find(module_.bodies[function.index - module_.importedFunctionCount()],
                             module_.fileName, left.offsets));
    std::vector<uint64_t> leftInGraph;
    for (const LeftAt &each : graph.left)
      leftInGraph.push_back(callsAt(each.offset));
    FlowCounts counts = solveCounts(
        graph, function.counters,
        ArrayRef(data_.counters).slice(function.first, function.counters.size()), leftInGraph);
    uint64_t within = left.anywhere;
    for (uint32_t offset : graph.misplaced)
      within = SaturatingAdd(within, callsAt(offset));
    if (!followsFromOthers())
      within = 0;
    if (function.countsExceptions)
      within = SaturatingAdd(
          within, leftByExceptions(data_.counters[function.exceptions()], graph, counts));
    visit({function.index, graph, counts, within});
  }
}

std::vector<std::string> ModuleCounts::describeInexactness() const {
  uint64_t functions = 0, within = 0, contradictory = 0;
  forEach([&](const FunctionCounts &each) {
    functions += each.within != 0;
    within = std::max(within, each.within);
    contradictory += each.counts.negative != 0 && each.within == 0;
  });
  std::vector<std::string> problems;
  if (functions)
    problems.push_back("the counts of " + countOf(functions, "function") + " are within " +
                       std::to_string(within) +
                       " of the truth: calls of them were left in the middle, by exceptions or the "
                       "program's end (--counters=all counts exactly)");
  if (uint64_t stacks = followsFromOthers() ? data_.left.unknownStacks : 0)
    problems.push_back(
        countOf(stacks, "instance") +
        " ended in the middle of calls that are not known, by a trap or an exit: the "
        "counts of functions that were open are not exact (engine node knows them)");
  if (contradictory)
    problems.push_back("the counts of " + countOf(contradictory, "function") +
                       " do not add up: calls of them were left in the middle. They are not exact "
                       "there (--counters=all counts exactly)");
  return problems;
}
