//===- InlineCounts.h - How often inlined code was executed ---------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_TOOLING_INLINECOUNTS_H
#define WARPO_LIB_TOOLING_INLINECOUNTS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <string>
#include <vector>

namespace warpo {

/// What a file of counts says of the code of each inlined call: executions of its instructions, as
/// fuel counts them.
class InlineCounts {
public:
  /// `modules` are files; the counts belong to one of them.
  static llvm::Expected<InlineCounts> read(const std::string &counts,
                                           llvm::ArrayRef<std::string> modules);

  /// By the number of the call, as FunctionPlaces::costs has it; empty for a function of another
  /// module, whose original has this hash.
  llvm::ArrayRef<uint64_t> costsOf(llvm::StringRef hash, uint32_t function) const;

private:
  std::string hash_;
  llvm::DenseMap<uint32_t, std::vector<uint64_t>> costs_;
};

} // namespace warpo

#endif
