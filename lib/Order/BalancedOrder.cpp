//===- BalancedOrder.cpp - By LLVM's balanced partitioning ----------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Puts functions together that the same runs execute at about the same time. The first 1, 2, 4, …
// functions of a run, and all of them, are sets. The partitioning halves the functions again and
// again, and splits as few sets as possible. Sets of one function say nothing, and sets of more
// than half of all functions hardly anything. Both are left out, as in llvm-profdata; the latter
// would be most of the work.
//
//===----------------------------------------------------------------------===//

#include "warpo/Order/FunctionOrder.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/BalancedPartitioning.h"
#include <numeric>

using namespace llvm;
using namespace warpo;

// A run of weight w counts as w runs, within a bound, since copies take time and memory as runs do:
// on average at most this many copies of a run.
static constexpr uint64_t copiesPerRun = 2;
// So many copies are always allowed: they cost little, and weights of a few runs are exact with
// them.
static constexpr uint64_t fewCopies = 64;

// How often the sets of each run are in the partitioning: in proportion to the weights, within the
// bound, but at least once.
static std::vector<unsigned> copiesOf(ArrayRef<OrderRun> runs) {
  uint64_t divisor = 0;
  double sum = 0;
  for (const OrderRun &run : runs)
    divisor = std::gcd(divisor, run.weight);
  for (const OrderRun &run : runs)
    sum += double(run.weight / divisor);
  double bound = double(std::max<uint64_t>(fewCopies, copiesPerRun * runs.size()));
  double scale = std::min(1.0, bound / sum);
  std::vector<unsigned> copies;
  for (const OrderRun &run : runs)
    copies.push_back(std::max(1u, unsigned(double(run.weight / divisor) * scale)));
  return copies;
}

// The functions in the order of their earliest ranks in any run: what the partitioning starts from.
static std::vector<uint32_t> startingOrder(const OrderModule &module, ArrayRef<OrderRun> runs,
                                           size_t longest) {
  std::vector<bool> seen(module.size());
  std::vector<uint32_t> order;
  for (size_t rank = 0; rank != longest; ++rank)
    for (const OrderRun &run : runs)
      if (rank < run.functions.size() && !seen[run.functions[rank]]) {
        seen[run.functions[rank]] = true;
        order.push_back(run.functions[rank]);
      }
  return order;
}

// The sets that each function is in, by function. `count` is how many functions there are.
static std::vector<SmallVector<uint32_t, 4>> setsOf(const OrderModule &module,
                                                    ArrayRef<OrderRun> runs, size_t count) {
  std::vector<SmallVector<uint32_t, 4>> sets(module.size());
  uint32_t set = 0;
  for (auto [run, copies] : zip_equal(runs, copiesOf(runs)))
    for (size_t size = 2; size / 2 < run.functions.size(); size *= 2) {
      ArrayRef<uint32_t> members = ArrayRef(run.functions).take_front(size);
      if (2 * members.size() > count)
        break;
      for (unsigned copy = 0; copy != copies; ++copy, ++set)
        for (uint32_t function : members)
          sets[function].push_back(set);
    }
  return sets;
}

namespace {

class BalancedOrder : public FunctionOrder {
public:
  Expected<std::vector<uint32_t>> order(const OrderModule &module,
                                        ArrayRef<OrderRun> runs) const override {
    size_t longest = 0;
    for (const OrderRun &run : runs)
      longest = std::max(longest, run.functions.size());
    std::vector<uint32_t> start = startingOrder(module, runs, longest);
    std::vector<BPFunctionNode> nodes;
    {
      auto sets = setsOf(module, runs, start.size());
      for (uint32_t function : start) {
        nodes.emplace_back(function, sets[function]);
        sets[function] = {};
      }
    }
    BalancedPartitioningConfig config;
    BalancedPartitioning(config).run(nodes);
    std::vector<uint32_t> result;
    for (const BPFunctionNode &node : nodes)
      result.push_back(uint32_t(node.Id));
    return result;
  }
};

warpo::Registry<FunctionOrder>::Add<BalancedOrder>
    registration("balanced", "by LLVM's balanced partitioning of the first executions");

} // namespace
