//===- RunReport.h - Reports on a run -------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_TOOLING_RUNREPORT_H
#define WARPO_LIB_TOOLING_RUNREPORT_H

#include "warpo/Engine/HostCalls.h"
#include "warpo/Record/FunctionTable.h"

namespace warpo {

/// Prints the results of the function of --invoke, one value per line.
void reportResults(const RunResult &result, llvm::raw_ostream &os);

/// The kind of entries in a program's records.
struct RecordNoun {
  llvm::StringRef singular, plural;
  static RecordNoun of(const ProgramHostCalls &calls);
};

/// Prints on stderr what was recorded, what was not, and why. `quiet`: only warnings.
void reportRecord(const RunRequest &request, const RunResult &result, const RecordNoun &noun,
                  bool quiet);

/// At most this many frames of a stack are printed.
inline constexpr size_t maxTrapFrames = 64;

/// Prints on stderr the trap, the described frames of its stack, and the names of open calls, with
/// locations of the innermost ones if known.
void reportTrap(const Trap &trap, llvm::ArrayRef<std::string> stack,
                llvm::ArrayRef<std::string> callPlaces, FunctionTable &functions);

} // namespace warpo

#endif
