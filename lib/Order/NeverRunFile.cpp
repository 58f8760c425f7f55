//===- NeverRunFile.cpp - The functions that no run executed --------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Order/OrderFile.h"
#include "warpo/Order/OrderList.h"

using namespace llvm;
using namespace warpo;

namespace {

class NeverRunFile : public OrderFile {
public:
  Error write(const ComputedOrder &order, const OrderFileOptions &, raw_ostream &os,
              std::vector<std::string> &) const override {
    writeOrderList(os, order.module, order.module.definedExcept(order.functions));
    return Error::success();
  }
};

warpo::Registry<OrderFile>::Add<NeverRunFile>
    registration("never-run", "a list of the functions that no run executed");

} // namespace
