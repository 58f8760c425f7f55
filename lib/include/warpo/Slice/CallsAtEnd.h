//===- CallsAtEnd.h - Calls that were open when the program ended ---------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_SLICE_CALLSATEND_H
#define WARPO_SLICE_CALLSATEND_H

#include "warpo/Record/RecordFormat.h"
#include "warpo/Slice/EventBuilder.h"
#include "llvm/ADT/ArrayRef.h"
#include <memory>

namespace warpo {

/// A trap that ends a program is no entry. If the host recorded its phases, they say when the phase
/// ended in which the program ran, and how much fuel the program had burnt by then. If a run has
/// one stack, the calls that are open there have lasted until then, so this advances their builder.
/// `builders` may contain null; the record must have been read to its end, and have no damage.
void advanceToEndOfPhase(const RecordHeader &header,
                         llvm::ArrayRef<std::unique_ptr<EventBuilder>> builders);

} // namespace warpo

#endif
