//===- WarpConversion.h - WARP's record of a run whose engine writes ours -===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_TOOLING_WARPCONVERSION_H
#define WARPO_LIB_TOOLING_WARPCONVERSION_H

#include "warpo/Engine/Engine.h"
#include "warpo/Support/OutputFile.h"
#include "warpo/Support/OwnedDescriptor.h"

namespace warpo {

/// For an engine that writes `warpo` only: what it records goes to a file without a name, of which
/// a record of the format `warp` is made when the program has ended.
class WarpConversion {
public:
  /// Has the engine write elsewhere. An error if the record that is wanted cannot be
  /// written.
  static llvm::Expected<std::unique_ptr<WarpConversion>> create(RecordTarget &target);

  /// Writes the record, with the entries of all modules in the order of time and, like those of
  /// other engines, with counts of this machine's counter for times. Puts the target back, and the
  /// rate of that counter into `result`.
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
