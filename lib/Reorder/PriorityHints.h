//===- PriorityHints.h - Tells engines what to compile first --------------===//
//
// The section `metadata.code.compilation_priority` of the compilation hints proposal:
//
//   contents := count (function 1 offset=0 size priority)*
//
// with functions in rising order; priority 0 is compiled first. Numbers are LEB128.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_LIB_REORDER_PRIORITYHINTS_H
#define WARPO_LIB_REORDER_PRIORITYHINTS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>

namespace warpo {

inline constexpr llvm::StringLiteral prioritySection = "metadata.code.compilation_priority";

/// The contents for functions that are to be compiled in this order.
llvm::SmallVector<uint8_t, 0> encodePriorities(llvm::ArrayRef<uint32_t> order);

} // namespace warpo

#endif
