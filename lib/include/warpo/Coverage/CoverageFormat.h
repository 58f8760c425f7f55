//===- CoverageFormat.h - The registry of coverage files ------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// To add one, add one .cpp to lib/Coverage that derives from CoverageFormat and registers itself.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_COVERAGE_COVERAGEFORMAT_H
#define WARPO_COVERAGE_COVERAGEFORMAT_H

#include "warpo/Counts/ReachedFunctions.h"
#include "warpo/Coverage/SourceCounts.h"
#include "warpo/Support/Registry.h"
#include "llvm/Support/raw_ostream.h"

namespace warpo {

struct Coverage {
  const ModuleCounts &counts;
  const ModulePlaces &places;
  /// With paths as they are to be shown.
  SourceCounts source;
  /// Whether to show branches of the code; otherwise lines have none.
  bool showsBranches = true;
  /// Whether `places` come from placesOfRuns().
  bool showsRuns = false;
  /// Callers and callees of a run that was recorded too; empty if unknown.
  TracedCalls traced = {};
};

class CoverageFormat {
public:
  static constexpr llvm::StringLiteral kind = "format of coverage";
  virtual ~CoverageFormat();

  virtual bool isBinary() const { return false; }
  /// Whether it has a part for each source file.
  virtual bool showsFiles() const { return false; }
  virtual void write(const Coverage &coverage, llvm::raw_ostream &os) = 0;
  /// Whether the output shows the targets of indirect calls.
  virtual bool showsCallTargets() const { return false; }
  /// Notes for the user about the file written.
  virtual std::vector<std::string> notes() const { return {}; }
};

} // namespace warpo

#endif
