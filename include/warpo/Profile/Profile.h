//===- Profile.h - What was spent where: a call tree with named weights ---===//
// SPDX-License-Identifier: Apache-2.0
//
// The value that flows from a record or a saved profile through views (focus, inverted, …)
// to a backend. It owns all its data, because it may combine records with different
// mappings.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_PROFILE_PROFILE_H
#define WARPO_PROFILE_PROFILE_H

#include "warpo/Profile/ContextTree.h"
#include "warpo/Record/Measure.h"
#include "warpo/Support/SharedText.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>
#include <vector>

namespace warpo {

class FunctionTotals;

enum class FunctionKind : uint8_t {
  /// A function of the program.
  function,
  /// The mapping does not have its id.
  unknown,
  /// Not a function: lost events, cut frames.
  pseudo,
};

struct ProfileFunction {
  std::string name;
  /// An index into Profile::modules.
  uint32_t module = 0;
  FunctionKind kind = FunctionKind::function;
  /// The id of its trace points; 0 if it has none or that is unknown.
  int32_t id = 0;
  /// Where it is defined; empty and 0 if unknown. Lines count from 1.
  SharedText file = {};
  uint32_t line = 0;
  /// The place that a frame was executing. In profiles with lines, each such place is a function of
  /// its own. Not stored in saved profiles.
  SharedText executedFile = {};
  uint32_t executedLine = 0;
  /// A hash of its code, for finding it under another name; 0 if unknown.
  uint64_t bodyHash = 0;
  /// Names of functions inlined into it, the one with the most code first.
  std::vector<SharedText> inlined = {};
  /// As in Function, a literal. Not stored in saved profiles.
  llvm::StringRef attribute = {};
  /// The part of its own recorded time that its trace points took, from 0 to 1; also 0 if not
  /// computed. Not stored in saved profiles.
  float probeShare = 0;

  /// Whether its time is mostly that of recording.
  bool isMostlyProbe() const { return probeShare > 0.5F; }
};

struct ProfileModule {
  uint64_t id = 0;
  /// Empty if unknown.
  std::string name;
};

/// Whether it stands for frames of the host and of scripts, or for an unknown module.
bool isNoModule(const ProfileModule &module);

/// Its name, `Module <id>` without a name, or `(no module)`.
std::string moduleLabel(const ProfileModule &module);

/// The file and line that was executed or, if unknown, those where the function begins.
std::pair<llvm::StringRef, uint32_t> placeOf(const ProfileFunction &function);

/// For each function, the first one that differs from it at most in the executed line.
std::vector<FunctionIndex> withoutLines(llvm::ArrayRef<ProfileFunction> functions);

/// An index into Profile::weights.
using WeightIndex = uint32_t;

/// A quantity that is summed over a call tree.
struct ProfileWeight {
  /// `calls`, `samples`, the name of a measure, or any other name in a saved profile.
  std::string name;
  /// `ns`, or `ticks` if a tick's length is unknown; for counts, the plural (`calls`); for
  /// measures, their unit, which may include how they were counted.
  std::string unit;
  /// By context: its own weight, without its callees.
  std::vector<uint64_t> self;
  /// By context: what callees spent whose contexts are not below it, as in a flat profile. May be
  /// shorter; missing contexts have none.
  std::vector<uint64_t> elsewhere = {};

  uint64_t elsewhereOf(NodeIndex node) const {
    return node < elsewhere.size() ? elsewhere[node] : 0;
  }
  /// Sums saturate.
  void addElsewhere(NodeIndex node, uint64_t amount);
};

/// How much of which measure was spent between two samples.
struct SamplePeriod {
  /// The name of a measure; the profile need not have that weight.
  std::string name;
  /// See ProfileWeight.
  std::string unit;
  uint64_t amount = 0;

  bool operator==(const SamplePeriod &) const = default;
};

struct Profile {
  /// The record's file name without directories, or a title given by the user.
  std::string title;
  std::vector<ProfileModule> modules;
  /// In no particular order; some may have no context.
  std::vector<ProfileFunction> functions;
  ContextTree tree;
  /// At least one, with unique names; each column is as long as the tree.
  std::vector<ProfileWeight> weights;
  /// The weight to show, or to show first in formats with several.
  WeightIndex shown = 0;
  /// The weight by which the shown one is divided, as in ns per fuel; nothing: the shown one is not
  /// divided.
  std::optional<WeightIndex> per = std::nullopt;
  /// Nothing without samples, or if it is unknown or differs between samples.
  std::optional<SamplePeriod> samplePeriod = std::nullopt;

  uint64_t self(NodeIndex node) const { return weights[shown].self[node]; }
  uint64_t self(NodeIndex node, WeightIndex weight) const { return weights[weight].self[node]; }
  /// By context: its own weight and that of all its callees. Sums
  /// saturate.
  std::vector<uint64_t> inclusive(WeightIndex weight) const;
  std::vector<uint64_t> inclusive() const { return inclusive(shown); }
  /// The sum over all contexts.
  uint64_t total(WeightIndex weight) const;
  uint64_t total() const { return total(shown); }

  llvm::StringRef unit() const { return weights[shown].unit; }
  /// Nothing if the profile has no such weight.
  std::optional<WeightIndex> findWeight(llvm::StringRef name) const;

  /// Whether it counts samples; numbers of calls are then unknown.
  bool isSampled() const { return findWeight("samples").has_value(); }
  /// The calls of the context itself; 0 if the profile does not count calls.
  uint64_t calls(NodeIndex node) const {
    std::optional<WeightIndex> weight = findWeight("calls");
    return weight ? self(node, *weight) : 0;
  }

  const ProfileFunction &function(NodeIndex node) const { return functions[tree[node].function]; }
  llvm::StringRef name(NodeIndex node) const { return function(node).name; }
  bool isPseudo(NodeIndex node) const { return function(node).kind == FunctionKind::pseudo; }

  /// An empty profile with the same weights, and the same functions and modules if `withFunctions`:
  /// the starting point of a view.
  Profile emptyCopy(bool withFunctions = true) const;
};

/// Makes the profile of a call tree. Its weights are the record's first measure, `calls` (for
/// samples, `samples`), and the measures for which the tree has columns. Times are converted
/// to nanoseconds for each context, rounded down, if the scale is known, so that all sums
/// agree.
Profile makeProfile(const CallTree &tree, const FunctionTable &functions,
                    llvm::ArrayRef<Measure> measures, llvm::StringRef title);

/// The same without contexts: each function is called by the host alone, in the order of the
/// table.
Profile makeFlatProfile(const FunctionTotals &totals, const FunctionTable &functions,
                        llvm::ArrayRef<Measure> measures, llvm::StringRef title);

/// Removes the weights in time, so that the profile is the same on each run; shows one of the
/// others.
Profile withoutTime(Profile profile);

} // namespace warpo

#endif
