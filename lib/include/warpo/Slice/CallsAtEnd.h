//===- CallsAtEnd.h - Calls that were open when the program ended ---------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_SLICE_CALLSATEND_H
#define WARPO_SLICE_CALLSATEND_H

#include "warpo/Record/RecordFormat.h"
#include "warpo/Slice/EventBuilder.h"
#include "llvm/ADT/ArrayRef.h"
#include <memory>

namespace warpo {

/// A trap is no entry of its stack. If a host recorded its phases, they say when it ended the
/// phase in which the program ran, and how much fuel the program had burnt by then. The calls that
/// are open on the stack that ran last have lasted until then, so this advances their builders.
/// `builders` may contain null; the record must have been read to its end.
void advanceToEndOfPhase(const RecordHeader &header,
                         llvm::ArrayRef<std::unique_ptr<EventBuilder>> builders);

} // namespace warpo

#endif
