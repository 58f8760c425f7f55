//===- OrderDump.h - A memory as the record of a program ------------------===//
//
// A module may log first executions in a memory of its own, asking nobody (docs/order.md). If no
// module of the program has another record, that memory is the record: readers know its form.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_LIB_ENGINE_ORDERDUMP_H
#define WARPO_LIB_ENGINE_ORDERDUMP_H

#include "warpo/Engine/Engine.h"
#include "llvm/ADT/ArrayRef.h"

namespace warpo {

/// Writes the memory to where the record goes; the result tells that, and what went wrong.
void recordOrderDump(const RecordTarget &target, llvm::ArrayRef<uint8_t> memory, RunResult &result);

} // namespace warpo

#endif
