//===- OrderDump.h - First executions, as a dump --------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// docs/order.md describes the format. js/recorder/artifacts/order-dump-format.mjs does the same in
// V8.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_LIB_ENGINE_ORDERDUMP_H
#define WARPO_LIB_ENGINE_ORDERDUMP_H

#include "llvm/ADT/ArrayRef.h"
#include <string>

namespace warpo {

/// The dump at the begin of a memory; the whole memory if there is no dump.
llvm::ArrayRef<uint8_t> findOrderDump(llvm::ArrayRef<uint8_t> memory);

/// Makes a dump from the ranks of functions, in the order of their ids. Ranks begin with 1, and are
/// negative if the function has not run; a 0 ends the list. Empty if there are no ranks.
std::string makeOrderDump(uint64_t moduleId, llvm::ArrayRef<int32_t> ranks);

} // namespace warpo

#endif
