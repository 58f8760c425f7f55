//===- FirstOrder.cpp - By the usual place in the order of execution ------===//
// SPDX-License-Identifier: Apache-2.0
//
// A function's place is the median of its ranks over the runs; a run that did not execute it counts
// as a rank behind all others. So functions that most runs need come first, in the order in which
// they are needed. The median says nothing about the rest. They follow, sorted by how many runs
// need them, then by the median over these runs.
//
//===----------------------------------------------------------------------===//

#include "warpo/Order/FunctionOrder.h"
#include "llvm/Support/MathExtras.h"
#include <tuple>

using namespace llvm;
using namespace warpo;

namespace {

struct WeightedRank {
  uint32_t rank;
  uint64_t weight;
};

/// The ranks of all functions, those of one behind those of another.
struct RankTable {
  /// Function f's ranks stand from first[f] to first[f + 1].
  std::vector<size_t> first;
  std::vector<WeightedRank> ranks;
};

/// The sort key of functions.
struct Place {
  bool isUsual;
  uint64_t rank;
  uint64_t weight;
  uint32_t function;

  bool operator<(const Place &other) const {
    if (isUsual != other.isUsual)
      return isUsual;
    if (!isUsual && weight != other.weight)
      return weight > other.weight;
    return std::tuple(rank, function) < std::tuple(other.rank, other.function);
  }
};

} // namespace

static RankTable ranksOf(const OrderModule &module, ArrayRef<OrderRun> runs) {
  RankTable table;
  table.first.resize(module.size() + 1);
  for (const OrderRun &run : runs)
    for (uint32_t function : run.functions)
      ++table.first[function + 1];
  for (uint32_t function = 0; function != module.size(); ++function)
    table.first[function + 1] += table.first[function];
  std::vector<size_t> next = table.first;
  table.ranks.resize(table.first.back());
  for (const OrderRun &run : runs)
    for (size_t rank = 0; rank != run.functions.size(); ++rank)
      table.ranks[next[run.functions[rank]]++] = {uint32_t(rank), run.weight};
  return table;
}

// The lowest rank that, with those below it, has half of the weight.
static uint64_t medianOf(ArrayRef<WeightedRank> sorted, uint64_t weight) {
  uint64_t sum = 0;
  for (const WeightedRank &entry : sorted) {
    sum = SaturatingAdd(sum, entry.weight);
    if (sum >= weight - weight / 2)
      return entry.rank;
  }
  return UINT64_MAX;
}

namespace {

class FirstOrder : public FunctionOrder {
public:
  Expected<std::vector<uint32_t>> order(const OrderModule &module,
                                        ArrayRef<OrderRun> runs) const override {
    uint64_t all = 0;
    for (const OrderRun &run : runs)
      all = SaturatingAdd(all, run.weight);
    RankTable table = ranksOf(module, runs);
    std::vector<Place> places;
    for (uint32_t function = 0; function != module.size(); ++function) {
      size_t count = table.first[function + 1] - table.first[function];
      if (count == 0)
        continue;
      auto ranks = MutableArrayRef(table.ranks).slice(table.first[function], count);
      llvm::sort(ranks, [](const WeightedRank &a, const WeightedRank &b) {
        return std::tuple(a.rank, a.weight) < std::tuple(b.rank, b.weight);
      });
      uint64_t weight = 0;
      for (const WeightedRank &entry : ranks)
        weight = SaturatingAdd(weight, entry.weight);
      uint64_t usual = medianOf(ranks, all);
      bool isUsual = usual != UINT64_MAX;
      places.push_back({isUsual, isUsual ? usual : medianOf(ranks, weight), weight, function});
    }
    llvm::sort(places);
    std::vector<uint32_t> result;
    for (const Place &place : places)
      result.push_back(place.function);
    return result;
  }
};

warpo::Registry<FunctionOrder>::Add<FirstOrder>
    registration("first", "by the median rank of the first executions over the runs");

} // namespace
