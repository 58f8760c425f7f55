//===- RunReport.h - How a run went, in words -----------------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_TOOLING_RUNREPORT_H
#define WARPO_LIB_TOOLING_RUNREPORT_H

#include "warpo/Engine/HostCalls.h"
#include "warpo/Record/FunctionTable.h"

namespace warpo {

/// What the function of --invoke returned, one value a line.
void reportResults(const RunResult &result, llvm::raw_ostream &os);

/// What records of a program consist of: one of these, and several.
struct RecordNoun {
  llvm::StringRef singular, plural;
  static RecordNoun of(const ProgramHostCalls &calls);
};

/// On stderr: what was recorded, what was not, and why. `quiet` leaves out what is no warning.
void reportRecord(const RunRequest &request, const RunResult &result, const RecordNoun &noun,
                  bool quiet);

/// At most this many frames of a stack are printed.
inline constexpr size_t maxTrapFrames = 64;

/// On stderr: the trap, the frames of its stack as they are described, and the calls that were open
/// by their names, with the places of the first ones where these are known.
void reportTrap(const Trap &trap, llvm::ArrayRef<std::string> stack,
                llvm::ArrayRef<std::string> callPlaces, FunctionTable &functions);

} // namespace warpo

#endif
