//===- SymbolNames.h - Functions by the names that native tools know ------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_ORDER_SYMBOLNAMES_H
#define WARPO_LIB_ORDER_SYMBOLNAMES_H

#include "warpo/Order/OrderFile.h"

namespace warpo {

/// For each function of the module its symbol, as the options say; empty for imported ones where
/// they have none.
llvm::Expected<std::vector<std::string>> symbolNames(const ComputedOrder &order,
                                                     const OrderFileOptions &options);

} // namespace warpo

#endif
