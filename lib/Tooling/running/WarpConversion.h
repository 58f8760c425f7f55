//===- WarpConversion.h - WARP's record for engines that write warpo ------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_TOOLING_WARPCONVERSION_H
#define WARPO_LIB_TOOLING_WARPCONVERSION_H

#include "warpo/Engine/Engine.h"
#include "warpo/Support/OutputFile.h"
#include "warpo/Support/OwnedDescriptor.h"

namespace warpo {

/// For an engine that writes only `warpo`: lets it write to a file without a name, which is
/// converted to `warp` when the program has ended.
class WarpConversion {
public:
  /// Redirects `target`. Fails if the requested record cannot be written.
  static llvm::Expected<std::unique_ptr<WarpConversion>> create(RecordTarget &target);

  /// Writes the record, with the entries of all modules in order of time and, like other engines,
  /// with times in counts of this machine's counter. Restores `target`, and sets the counter's rate
  /// in `result`.
  llvm::Error finish(RecordTarget &target, RunResult &result);

private:
  WarpConversion(RecordTarget wanted, std::unique_ptr<OutputFile> output)
      : wanted_(std::move(wanted)), output_(std::move(output)) {}
  llvm::Error write(RunResult &result);

  RecordTarget wanted_;
  std::unique_ptr<OutputFile> output_;
  OwnedDescriptor recorded_;
};

} // namespace warpo

#endif
