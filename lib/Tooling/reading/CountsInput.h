//===- CountsInput.h - Counts with their module ---------------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_TOOLING_COUNTSINPUT_H
#define WARPO_TOOLING_COUNTSINPUT_H

#include "warpo/Counts/ModuleCounts.h"
#include "llvm/Support/MemoryBuffer.h"
#include <memory>

namespace warpo {

class CountsInput {
public:
  /// Reads the original module and files of counts, which are added up; subtracts those of the file
  /// `since` unless that is empty. One may be `-`.
  static llvm::Expected<std::unique_ptr<CountsInput>>
  read(llvm::StringRef module, llvm::ArrayRef<std::string> counts, const std::string &since = "");

  const wasm::Module &module() const { return module_; }
  const ModuleCounts &counts() const { return *counts_; }
  /// Warns about inexact counts.
  void reportProblems() const;

private:
  CountsInput(std::unique_ptr<llvm::MemoryBuffer> bytes, wasm::Module module, CountSums sums)
      : bytes_(std::move(bytes)), module_(std::move(module)), sums_(std::move(sums)) {}

  std::unique_ptr<llvm::MemoryBuffer> bytes_;
  wasm::Module module_;
  CountSums sums_;
  std::optional<ModuleCounts> counts_;
};

} // namespace warpo

#endif
