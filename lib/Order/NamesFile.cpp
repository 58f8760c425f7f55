//===- NamesFile.cpp - The list that our own tools read -------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Order/OrderFile.h"
#include "warpo/Order/OrderList.h"

using namespace llvm;
using namespace warpo;

namespace {

class NamesFile : public OrderFile {
public:
  Error write(const ComputedOrder &order, const OrderFileOptions &, raw_ostream &os,
              std::vector<std::string> &) const override {
    writeOrderList(os, order.module, order.functions);
    return Error::success();
  }
};

warpo::Registry<OrderFile>::Add<NamesFile> registration("names",
                                                        "a list of functions, for warpo-reorder");

} // namespace
