//===- InlineCounts.h - Executions of inlined code ------------------------===//
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

/// The executions of each inlined call's instructions, in fuel, from a file of counts.
class InlineCounts {
public:
  /// `modules` are files; the counts must belong to one of them.
  static llvm::Expected<InlineCounts> read(const std::string &counts,
                                           llvm::ArrayRef<std::string> modules);

  /// By number of the call, like FunctionPlaces::costs. `hash` is that of the original module;
  /// empty if the counts belong to another one.
  llvm::ArrayRef<uint64_t> costsOf(llvm::StringRef hash, uint32_t function) const;

private:
  std::string hash_;
  llvm::DenseMap<uint32_t, std::vector<uint64_t>> costs_;
};

} // namespace warpo

#endif
