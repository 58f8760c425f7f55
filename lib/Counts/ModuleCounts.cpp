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
  if (Error error = counts.findCalls(data.left, 1))
    return error;
  if (Error error = counts.findCalls(data.begun, -1))
    return error;
  return counts;
}

Error ModuleCounts::findCalls(const LeftCalls &calls, int64_t sign) {
  uint64_t code = 0;
  for (const wasm::Section &section : module_.sections)
    if (section.id == wasm::SectionId::code)
      code = section.contents.offset;
  for (auto [place, count] : calls.calls) {
    if (module_.isImported(place.function) || place.function >= module_.functionCount())
      return fileError(module_.fileName, "counts of calls that were left in function " +
                                             Twine(place.function) +
                                             ", which has no code in the module");
    const wasm::ByteRange &body = module_.bodies[place.function - module_.importedFunctionCount()];
    Left &left = left_[place.function];
    left.isBegun |= sign < 0;
    uint64_t offset = code + place.code;
    if (offset < body.offset || offset - body.offset >= body.bytes.size()) {
      left.anywhere = SaturatingAdd(left.anywhere, count);
      continue;
    }
    left.calls[uint32_t(offset - body.offset)] += uint64_t(sign) * count;
  }
  return Error::success();
}

static uint64_t distanceFromZero(uint64_t difference) { return std::min(difference, -difference); }

// By how much the counts of a function may be wrong if exceptions have left so many of its calls.
// Exceptions that it throws itself do no harm.
static uint64_t leftByExceptions(uint64_t exceptions, const FlowGraph &graph,
                                 const FlowCounts &counts) {
  for (uint32_t run : graph.throwing)
    exceptions -= std::min(exceptions, counts.runs[run]);
  return exceptions;
}

void ModuleCounts::forEach(function_ref<void(const FunctionCounts &)> visit) const {
  forEachOf([](const CounterPlan::Function &) { return true; }, visit);
}

void ModuleCounts::forEachExecuted(function_ref<void(const FunctionCounts &)> visit) const {
  auto isOne = [&](const CounterPlan::Function &function) {
    auto counters =
        ArrayRef(data_.counters)
            .slice(function.first, function.counters.size() + size_t(function.countsExceptions));
    return left_.count(function.index) || any_of(counters, [](uint64_t count) { return count; });
  };
  forEachOf(isOne, visit);
}

// The graph of a function, given how many of its calls were left at which offsets.
static const FlowGraph &graphOf(FlowGraphFinder &finder, const wasm::Module &module, uint32_t index,
                                const std::map<uint32_t, uint64_t> &left) {
  std::vector<uint32_t> offsets;
  for (auto [offset, calls] : left)
    if (calls)
      offsets.push_back(offset);
  // Planning has read the code.
  return cantFail(
      finder.find(module.bodies[index - module.importedFunctionCount()], module.fileName, offsets));
}

void ModuleCounts::forEachOf(function_ref<bool(const CounterPlan::Function &)> isOne,
                             function_ref<void(const FunctionCounts &)> visit) const {
  wasm::FuelCosts costs;
  FlowGraphFinder finder(costs, data_.options.choice == CounterChoice::all);
  for (const CounterPlan::Function &function : plan_.functions) {
    if (!isOne(function))
      continue;
    auto known = left_.find(function.index);
    Left left = known == left_.end() ? Left() : known->second;
    const FlowGraph *graph = nullptr;
    FlowCounts counts;
    auto solve = [&] {
      graph = &graphOf(finder, module_, function.index, left.calls);
      std::vector<uint64_t> leftInGraph;
      for (const LeftAt &each : graph->left)
        leftInGraph.push_back(left.calls[each.offset]);
      counts = solveCounts(*graph, function.counters,
                           ArrayRef(data_.counters).slice(function.first, function.counters.size()),
                           leftInGraph);
    };
    solve();
    uint64_t exceptions = function.countsExceptions ? data_.counters[function.exceptions()] : 0;
    // Each exception ended an execution: at the only call of a function that throws nothing itself,
    // or at an unknown place. The code up to the first call was executed at least as often.
    bool isOnlyCall =
        graph->certainCall && graph->calls == 1 && !graph->throws && known == left_.end();
    uint64_t missing =
        isOnlyCall ? exceptions : exceptions - std::min(exceptions, counts.entries());
    if (missing && graph->certainCall && known == left_.end()) {
      left.calls[*graph->certainCall] = missing;
      solve();
    }
    if (!left.isBegun)
      counts.negative += counts.negativeExits;
    uint64_t within = left.anywhere;
    for (uint32_t offset : graph->misplaced)
      within = SaturatingAdd(within, distanceFromZero(left.calls[offset]));
    if (!followsFromOthers())
      within = 0;
    if (exceptions && !isOnlyCall)
      within = SaturatingAdd(within, leftByExceptions(exceptions, *graph, counts));
    visit({function.index, *graph, counts, within});
  }
}

std::vector<std::string> ModuleCounts::describeInexactness() const {
  uint64_t functions = 0, within = 0, contradictory = 0;
  forEachExecuted([&](const FunctionCounts &each) {
    functions += each.within != 0;
    within = std::max(within, each.within);
    contradictory += each.counts.negative != 0 && each.within == 0;
  });
  std::vector<std::string> problems;
  if (functions)
    problems.push_back("the counts of " + countOf(functions, "function") + " are within " +
                       std::to_string(within) +
                       " of the truth: calls did not return, because of exceptions or the "
                       "program's end (--counters=all counts exactly)");
  if (uint64_t stacks = SaturatingAdd(data_.left.unknownStacks, data_.begun.unknownStacks);
      stacks && followsFromOthers())
    problems.push_back(countOf(stacks, "instance") +
                       " ended in the middle of unknown calls, by a trap or an exit: the counts of "
                       "functions that were open are not exact (--counters=all counts exactly)");
  if (contradictory)
    problems.push_back("the counts of " + countOf(contradictory, "function") +
                       " do not add up: calls did not return. They are not exact there "
                       "(--counters=all counts exactly)");
  return problems;
}
