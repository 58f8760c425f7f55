//===- OrderDump.h - What ran first, as readers of records want it --------===//
// SPDX-License-Identifier: Apache-2.0
//
// The form is that of docs/order.md. js/recorder/artifacts/order-dump-format.mjs does the same in
// V8.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_LIB_ENGINE_ORDERDUMP_H
#define WARPO_LIB_ENGINE_ORDERDUMP_H

#include "llvm/ADT/ArrayRef.h"
#include <string>

namespace warpo {

/// The dump that a memory begins with; all of the memory if there is no dump.
llvm::ArrayRef<uint8_t> findOrderDump(llvm::ArrayRef<uint8_t> memory);

/// Of the ranks of functions in the order of their ids: from 1 on, or less than 0 if the function
/// has not run. The first 0 ends them. Empty if there are none.
std::string makeOrderDump(uint64_t moduleId, llvm::ArrayRef<int32_t> ranks);

} // namespace warpo

#endif
