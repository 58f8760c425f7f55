//===- BinaryenNames.h - What Binaryen's tools call functions -------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_ORDER_BINARYENNAMES_H
#define WARPO_LIB_ORDER_BINARYENNAMES_H

#include "warpo/Order/OrderFile.h"

namespace warpo {

/// For each function of the module its name in Binaryen. It counts only functions with code where
/// one has no name, and makes repeated names differ.
llvm::Expected<std::vector<std::string>> binaryenNames(const ComputedOrder &order,
                                                       const OrderFileOptions &options);

/// Whether a list with a name a line can hold the name; if not, that is added to `omissions`.
bool isListable(llvm::StringRef name, std::vector<std::string> &omissions);

} // namespace warpo

#endif
