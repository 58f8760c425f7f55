//===- NeverRunFile.cpp - The functions that no run executed --------------===//

#include "warpo/Order/OrderFile.h"
#include "warpo/Order/OrderList.h"

using namespace llvm;
using namespace warpo;

namespace {

class NeverRunFile : public OrderFile {
public:
  Error write(const ComputedOrder &order, const OrderFileOptions &, raw_ostream &os,
              std::vector<std::string> &) const override {
    std::vector<bool> ran(order.module.size());
    for (uint32_t function : order.functions)
      ran[function] = true;
    std::vector<uint32_t> never;
    for (uint32_t i = order.module.importedCount(); i != order.module.size(); ++i)
      if (!ran[i])
        never.push_back(i);
    writeOrderList(os, order.module, never);
    return Error::success();
  }
};

warpo::Registry<OrderFile>::Add<NeverRunFile>
    registration("never-run", "a list of the functions that no run executed");

} // namespace
