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
  /// Paths are those to be shown.
  SourceCounts source;
  /// Whether branches of the code are wanted; else lines have none.
  bool showsBranches = true;
  /// Whether places are those of placesOfRuns().
  bool showsRuns = false;
  /// Who called whom in a run that was recorded too; empty if that is unknown.
  TracedCalls traced = {};
};

class CoverageFormat {
public:
  static constexpr llvm::StringLiteral kind = "format of coverage";
  virtual ~CoverageFormat();

  /// Whether its output is binary.
  virtual bool isBinary() const { return false; }
  /// Whether it has a part for each source file.
  virtual bool showsFiles() const { return false; }
  virtual void write(const Coverage &coverage, llvm::raw_ostream &os) = 0;
  /// Whether it has a place for where calls through tables went.
  virtual bool showsCallTargets() const { return false; }
  /// What users should know of what was written.
  virtual std::vector<std::string> notes() const { return {}; }
};

} // namespace warpo

#endif
