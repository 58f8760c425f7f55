//===- RecordVerifier.h - Every breach of a record's rules ----------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_OUTPUT_RECORDVERIFIER_H
#define WARPO_OUTPUT_RECORDVERIFIER_H

#include "warpo/Record/RecordFormat.h"
#include "llvm/Support/raw_ostream.h"

namespace warpo {

/// Reads the record to its end and writes each breach on a line of its own: `<place>: <what>`.
/// A sound record has whole entries of ids that the mapping knows, in time order on each stream,
/// and ends each call, in the reverse order of the begins; a stack that goes on after another had
/// started or resumed that. Returns the number of breaches.
llvm::Expected<uint64_t> reportBreaches(RecordReader &reader, FunctionTable &functions,
                                        llvm::StringRef recordName, llvm::raw_ostream &os,
                                        llvm::function_ref<llvm::Error()> onBatch);

} // namespace warpo

#endif
