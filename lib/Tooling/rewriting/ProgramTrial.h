//===- ProgramTrial.h - A run of a program, to be compared with others ----===//
// SPDX-License-Identifier: Apache-2.0
//
// The program sees copies of its folders, so that each run begins with the same files and changes
// none of the user's.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_TOOLING_PROGRAMTRIAL_H
#define WARPO_TOOLING_PROGRAMTRIAL_H

#include "../common/TemporaryFolder.h"
#include <map>
#include <vector>

namespace warpo {

/// What a run did.
struct TrialResult {
  int exitCode = 0;
  std::string output;
  /// Of the folders that the program sees, when it has ended: by path the hash of what is there.
  std::map<std::string, std::string> files;
  /// CPU time of all processes, in seconds.
  double seconds = 0;
};

/// In what two runs differ, as `the exit code (0, 3)`; empty if in nothing.
std::string differenceOf(const TrialResult &left, const TrialResult &right);

class ProgramTrials {
public:
  /// `options` are those of warpo-run; each of `directories` is one of its `--dir`. What is needed
  /// for a run lies in `folder`, which must outlive this.
  ProgramTrials(const TemporaryFolder &folder, std::vector<std::string> options,
                std::vector<std::string> directories)
      : folder_(folder), options_(std::move(options)), directories_(std::move(directories)) {}

  /// Runs a module with arguments, in words as a shell would have them. `more` are further options
  /// of warpo-run. An error if it could not be run.
  llvm::Expected<TrialResult> run(llvm::StringRef module, llvm::StringRef arguments,
                                  std::vector<std::string> more = {}) const;

private:
  const TemporaryFolder &folder_;
  std::vector<std::string> options_;
  std::vector<std::string> directories_;
};

} // namespace warpo

#endif
