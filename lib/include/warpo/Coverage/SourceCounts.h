//===- SourceCounts.h - How often each line of the source was executed ----===//
// SPDX-License-Identifier: Apache-2.0
//
// A line's code may stand at several places: in a function and wherever that was inlined, and there
// in several runs. In one such place, an instance, the line was executed as often as the most
// executed of its runs there (a loop's head may be on the line of its body). Instances add up. The
// body of an unrolled loop is an instance that counts once for each round that it stands for; the
// code of the remaining rounds is another one. Discriminators tell them apart, if the compiler was
// asked for them (-fdebug-info-for-profiling).
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_COVERAGE_SOURCECOUNTS_H
#define WARPO_COVERAGE_SOURCECOUNTS_H

#include "warpo/Counts/ModuleCounts.h"
#include "warpo/Places/ModulePlaces.h"
#include <map>

namespace warpo {

/// An instruction that goes on at one of several places.
struct CountedBranch {
  /// How often to each, as FlowBranch has them.
  std::vector<uint64_t> arms;

  bool wasReached() const {
    return llvm::any_of(arms, [](uint64_t count) { return count != 0; });
  }
};

/// Calls of a function on a line that were replaced by its code.
struct InlinedCalls {
  /// Its linkage name.
  std::string callee;
  uint64_t executions = 0;
  /// Of its code there, without what is inlined into that.
  uint64_t instructions = 0;
  /// The functions of the module that contain this code, rising.
  std::vector<uint32_t> into;
};

struct CountedLine {
  uint64_t executions = 0;
  /// A plain sum of all that is on the line.
  uint64_t instructions = 0;
  /// In the order of the code.
  std::vector<CountedBranch> branches;
};

struct CountedFunction {
  /// Its linkage name.
  std::string name;
  /// Where it was declared.
  uint32_t line = 0;
  /// The last line of the same file from which it has code.
  uint32_t lastLine = 0;
  /// Calls, including inlined ones.
  uint64_t executions = 0;
  /// Of its own code, there too.
  uint64_t instructions = 0;
  /// The lines of CountedFile::lines from which it has code, rising.
  std::vector<uint32_t> lines;
};

struct CountedFile {
  std::string path;
  std::map<uint32_t, CountedLine> lines;
  /// By line and name.
  std::vector<CountedFunction> functions;
  /// Inlined calls of each line, by callee. Such a line may have no other code.
  std::map<uint32_t, std::vector<InlinedCalls>> inlined;
};

/// A function of the source whose code is not in the module.
struct DroppedFunction {
  std::string path;
  CountedFunction function;
};

struct SourceCounts {
  /// By path. Code of unknown files is in none of them.
  std::vector<CountedFile> files;
  /// Of all code, whether a line is known or not.
  uint64_t instructions = 0;
  /// By path, line and name.
  std::vector<DroppedFunction> dropped;

  /// Adds the dropped functions to their files, as functions that were never called.
  void countDropped();
};
SourceCounts countSource(const ModuleCounts &counts, const ModulePlaces &places);

/// How much of it was executed.
struct CoverageSums {
  struct Share {
    uint64_t executed = 0;
    uint64_t all = 0;
  };
  Share functions, lines, branches;

  void add(const CoverageSums &other);
};
/// For the ways of a line's branches.
CoverageSums::Share branchesOf(const CountedLine &line);
CoverageSums sumsOf(const CountedFile &file);

} // namespace warpo

#endif
