//===- BinaryenNames.h - Binaryen's names for functions -------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_ORDER_BINARYENNAMES_H
#define WARPO_LIB_ORDER_BINARYENNAMES_H

#include "warpo/Order/OrderFile.h"

namespace warpo {

/// By function of the module, its name in Binaryen. A function without a name gets a number that
/// counts only functions with code; repeated names are made unique.
llvm::Expected<std::vector<std::string>> binaryenNames(const ComputedOrder &order,
                                                       const OrderFileOptions &options);

/// Whether a list with one name per line can contain the name; if not, adds a text to `omissions`.
bool isListable(llvm::StringRef name, std::vector<std::string> &omissions);

} // namespace warpo

#endif
