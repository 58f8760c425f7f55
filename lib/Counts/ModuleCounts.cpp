//===- ModuleCounts.cpp ---------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Counts/ModuleCounts.h"
#include "warpo/Support/Errors.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

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
  auto plan = planCounters(module, data.choice);
  if (!plan)
    return plan.takeError();
  if (plan->fingerprint != data.fingerprint || plan->counters != data.counters.size())
    return fileError(module.fileName, "counts of " + countOf(data.counters.size(), "counter") +
                                          " of plan " + utohexstr(data.fingerprint, true) +
                                          ", but the module has " + Twine(plan->counters) +
                                          " of plan " + utohexstr(plan->fingerprint, true) +
                                          ": another version of warpo-instrument planned them");
  return ModuleCounts(module, data, std::move(*plan));
}

void ModuleCounts::forEach(function_ref<void(const FunctionCounts &)> visit) const {
  wasm::FuelCosts costs;
  FlowGraphFinder finder(costs, data_.choice == CounterChoice::all);
  for (const CounterPlan::Function &function : plan_.functions) {
    // Planning has read the code.
    const FlowGraph &graph = cantFail(finder.find(
        module_.bodies[function.index - module_.importedFunctionCount()], module_.fileName));
    FlowCounts counts =
        solveCounts(graph, function.counters,
                    ArrayRef(data_.counters).slice(function.first, function.counters.size()));
    visit({function.index, graph, counts});
  }
}
