//===- ProgramTrial.h - Runs a program for comparison ---------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The program gets copies of its folders, so that each run begins with the same files, and the
// user's are not modified.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_TOOLING_PROGRAMTRIAL_H
#define WARPO_TOOLING_PROGRAMTRIAL_H

#include "../common/TemporaryFolder.h"
#include <map>
#include <vector>

namespace warpo {

/// The result of a run.
struct TrialResult {
  int exitCode = 0;
  std::string output;
  /// Hashes of the contents of the program's folders after the run, by path.
  std::map<std::string, std::string> files;
  /// CPU time of all processes, in seconds.
  double seconds = 0;
};

/// A difference between two runs, such as `the exit code (0, 3)`; empty if there is none.
std::string differenceOf(const TrialResult &left, const TrialResult &right);

class ProgramTrials {
public:
  /// `options` are those of warpo-run; `directories` are values of its `--dir`. Uses `folder`,
  /// which must outlive this, for temporary files.
  ProgramTrials(const TemporaryFolder &folder, std::vector<std::string> options,
                std::vector<std::string> directories)
      : folder_(folder), options_(std::move(options)), directories_(std::move(directories)) {}

  /// Runs a module. `arguments` are split like in a shell; `more` are further options of warpo-run.
  /// Fails if it could not be run.
  llvm::Expected<TrialResult> run(llvm::StringRef module, llvm::StringRef arguments,
                                  std::vector<std::string> more = {}) const;

private:
  const TemporaryFolder &folder_;
  std::vector<std::string> options_;
  std::vector<std::string> directories_;
};

} // namespace warpo

#endif
