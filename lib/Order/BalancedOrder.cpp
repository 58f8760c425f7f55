//===- BalancedOrder.cpp - By LLVM's balanced partitioning ----------------===//
//
// Functions that the same runs execute at about the same time come to lie together, whatever the
// rest of the order. Of each run, the first 1, 2, 4, … functions make a set; the partitioning
// splits the functions in halves, again and again, so that sets are torn as little as possible.
//
//===----------------------------------------------------------------------===//

#include "warpo/Order/FunctionOrder.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/BalancedPartitioning.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace llvm;
using namespace warpo;

// A run of weight w counts as w of its sets; more copies than this say nothing more.
static constexpr uint64_t maxCopies = 8;

// How often the sets of each run stand in the partitioning: in the proportion of the weights.
static std::vector<unsigned> copiesOf(ArrayRef<OrderRun> runs) {
  uint64_t divisor = 0;
  uint64_t largest = 0;
  for (const OrderRun &run : runs) {
    divisor = std::gcd(divisor, run.weight);
    largest = std::max(largest, run.weight);
  }
  std::vector<unsigned> copies;
  for (const OrderRun &run : runs) {
    uint64_t exact = run.weight / divisor;
    double share = double(run.weight) / double(largest) * double(maxCopies);
    bool fits = largest / divisor <= maxCopies;
    copies.push_back(fits ? unsigned(exact) : std::max(1u, unsigned(share + 0.5)));
  }
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

// The sets that each function is in, by function.
static std::vector<SmallVector<uint32_t, 4>> setsOf(const OrderModule &module,
                                                    ArrayRef<OrderRun> runs, size_t longest) {
  std::vector<SmallVector<uint32_t, 4>> sets(module.size());
  unsigned sizes = Log2_64(longest) + 1;
  uint32_t firstSet = 0;
  for (auto [run, copies] : zip_equal(runs, copiesOf(runs)))
    for (unsigned copy = 0; copy != copies; ++copy, firstSet += sizes)
      for (size_t rank = 0; rank != run.functions.size(); ++rank)
        for (unsigned size = Log2_64(rank + 1); size != sizes; ++size)
          sets[run.functions[rank]].push_back(firstSet + size);
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
    if (longest == 0)
      return std::vector<uint32_t>();
    std::vector<BPFunctionNode> nodes;
    {
      auto sets = setsOf(module, runs, longest);
      for (uint32_t function : startingOrder(module, runs, longest)) {
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
