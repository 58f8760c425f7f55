//===- SymbolNames.h - Functions' names in native tools -------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_ORDER_SYMBOLNAMES_H
#define WARPO_LIB_ORDER_SYMBOLNAMES_H

#include "warpo/Order/OrderFile.h"

namespace warpo {

/// By function of the module, its symbol according to the options; empty for an imported function
/// without one.
llvm::Expected<std::vector<std::string>> symbolNames(const ComputedOrder &order,
                                                     const OrderFileOptions &options);

} // namespace warpo

#endif
