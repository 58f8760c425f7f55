//===- SourceCounts.h - How often each line of the source was executed ----===//
// SPDX-License-Identifier: Apache-2.0
//
// A line's code may have several instances: in its function and wherever that was inlined. An
// instance may have several straight runs; it was executed as often as the most executed one (a
// loop's head may be on the line of its body). Instances add up. The body of an unrolled loop is an
// instance that counts once for each iteration that it stands for; the code of the remaining
// iterations is another instance. Discriminators distinguish them, if the compiler was asked for
// discriminators (-fdebug-info-for-profiling).
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_COVERAGE_SOURCECOUNTS_H
#define WARPO_COVERAGE_SOURCECOUNTS_H

#include "warpo/Counts/ModuleCounts.h"
#include "warpo/Places/ModulePlaces.h"
#include <map>

namespace warpo {

/// An instruction with several successors.
struct CountedBranch {
  /// The executions of each, in the order of FlowBranch.
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
  /// Executed instructions of its code there, without code inlined into it.
  uint64_t instructions = 0;
  /// The functions of the module that contain this code, in ascending order.
  std::vector<uint32_t> into;
};

struct CountedLine {
  uint64_t executions = 0;
  /// The plain sum over all code on the line.
  uint64_t instructions = 0;
  /// In code order.
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
  /// Executed instructions of its own code, including its inlined copies.
  uint64_t instructions = 0;
  /// The lines of CountedFile::lines from which it has code, in ascending order.
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
  /// Executed instructions of all code, with known lines or not.
  uint64_t instructions = 0;
  /// By path, line and name.
  std::vector<DroppedFunction> dropped;

  /// Adds the dropped functions to their files, as functions that were never called.
  void countDropped();
};
SourceCounts countSource(const ModuleCounts &counts, const ModulePlaces &places);

/// How many functions, lines and branches were executed.
struct CoverageSums {
  struct Share {
    uint64_t executed = 0;
    uint64_t all = 0;
  };
  Share functions, lines, branches;

  void add(const CoverageSums &other);
};
/// Counts each arm of the line's branches.
CoverageSums::Share branchesOf(const CountedLine &line);
CoverageSums sumsOf(const CountedFile &file);

} // namespace warpo

#endif
