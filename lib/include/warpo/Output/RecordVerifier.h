//===- RecordVerifier.h - Reports every violation of a record's rules -----===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_OUTPUT_RECORDVERIFIER_H
#define WARPO_OUTPUT_RECORDVERIFIER_H

#include "warpo/Record/RecordFormat.h"
#include "llvm/Support/raw_ostream.h"

namespace warpo {

/// Reads the record to its end, writes a line `<place>: <what>` for each violation, and returns
/// their number. A valid record has complete entries in the order of time on each stream, with ids
/// that the mapping knows; it ends all calls, in the reverse order of their begins; and a stack
/// continues only after another one that it had started or resumed.
llvm::Expected<uint64_t> reportBreaches(RecordReader &reader, FunctionTable &functions,
                                        llvm::StringRef recordName, llvm::raw_ostream &os,
                                        llvm::function_ref<llvm::Error()> onBatch);

} // namespace warpo

#endif
