//===- HotOrder.cpp - The most expensive functions first ------------------===//

#include "warpo/Order/FunctionOrder.h"
#include "warpo/Support/Errors.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <tuple>

using namespace llvm;
using namespace warpo;

namespace {

class HotOrder : public FunctionOrder {
public:
  bool needsCosts() const override { return true; }

  Expected<std::vector<uint32_t>> order(const OrderModule &module,
                                        ArrayRef<OrderRun> runs) const override {
    struct Heat {
      uint32_t function;
      uint64_t self = 0;
      uint64_t calls = 0;
    };
    std::vector<Heat> heats(module.size());
    for (uint32_t i = 0; i != module.size(); ++i)
      heats[i].function = i;
    for (const OrderRun &run : runs)
      for (const FunctionCost &cost : run.costs) {
        Heat &heat = heats[cost.function];
        heat.self = SaturatingMultiplyAdd(cost.self, run.weight, heat.self);
        heat.calls = SaturatingMultiplyAdd(cost.calls, run.weight, heat.calls);
      }
    erase_if(heats, [&](const Heat &heat) {
      return heat.self == 0 && heat.calls == 0 ? true : module.isImported(heat.function);
    });
    llvm::sort(heats, [](const Heat &a, const Heat &b) {
      return std::tuple(b.self, b.calls, a.function) < std::tuple(a.self, a.calls, b.function);
    });
    std::vector<uint32_t> result;
    for (const Heat &heat : heats)
      result.push_back(heat.function);
    return result;
  }
};

warpo::Registry<FunctionOrder>::Add<HotOrder>
    registration("hot", "by what was spent in a function itself, most first");

} // namespace
