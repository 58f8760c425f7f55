//===- Profile.h - What was spent where: a call tree with named weights ---===//
// SPDX-License-Identifier: Apache-2.0
//
// The value that flows from a record, or from a saved profile, through views (focus, inverted, …)
// to a backend. It owns all that it says, so that it may come from several records with different
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
  /// The mapping did not have its id.
  unknown,
  /// Something that is no function: what is lost, what was cut.
  pseudo,
};

struct ProfileFunction {
  std::string name;
  /// An index into Profile::modules.
  uint32_t module = 0;
  FunctionKind kind = FunctionKind::function;
  /// Of its trace points; 0 if it has none or that is unknown.
  int32_t id = 0;
  /// Where it is defined; empty and 0 if unknown. Lines count from 1.
  SharedText file = {};
  uint32_t line = 0;
  /// The same of where in it a frame was executing: it is a function of its own for each such place
  /// in profiles with lines. A saved profile does not keep them.
  SharedText executedFile = {};
  uint32_t executedLine = 0;
  /// A hash of its code, to find it again under another name; 0 if unknown.
  uint64_t bodyHash = 0;
  /// Names of what was inlined into it, that with the most code first.
  std::vector<SharedText> inlined = {};
  /// As in Function, a literal. A saved profile does not keep it.
  llvm::StringRef attribute = {};
  /// How much of its own recorded time was that of its trace points, from 0 to 1; 0 too where not
  /// looked up. A saved profile does not keep it.
  float probeShare = 0;

  /// Its time says more of the recording than of the program.
  bool isMostlyProbe() const { return probeShare > 0.5F; }
};

struct ProfileModule {
  uint64_t id = 0;
  /// Empty if unknown.
  std::string name;
};

/// Stands for the module of frames of the host and of scripts, and where it is unknown.
bool isNoModule(const ProfileModule &module);

/// Its name, else `Module <id>`, or `(no module)`.
std::string moduleLabel(const ProfileModule &module);

/// The file and line that was executed, else that the function begins in.
std::pair<llvm::StringRef, uint32_t> placeOf(const ProfileFunction &function);

/// Of each of these functions, the first that is the same but for the line that was executed.
std::vector<FunctionIndex> withoutLines(llvm::ArrayRef<ProfileFunction> functions);

/// An index into Profile::weights.
using WeightIndex = uint32_t;

/// Something that is summed over a call tree.
struct ProfileWeight {
  /// `calls`, `samples`, the name of a measure, or what else a saved profile names.
  std::string name;
  /// `ns`, or `ticks` if the length of a tick is unknown; for what is counted, its plural: `calls`;
  /// of a measure its unit, which may say how it was counted.
  std::string unit;
  /// Of each context its own weight, without that of its callees.
  std::vector<uint64_t> self;
  /// Of each context, what its callees spent whose contexts are not below it, as in a flat profile.
  /// Contexts beyond its size have none.
  std::vector<uint64_t> elsewhere = {};

  uint64_t elsewhereOf(NodeIndex node) const {
    return node < elsewhere.size() ? elsewhere[node] : 0;
  }
  /// Sums stop at the largest number.
  void addElsewhere(NodeIndex node, uint64_t amount);
};

/// What decided when the samples of a profile were taken: each time that so much was spent.
struct SamplePeriod {
  /// The name of a measure, whether the profile has that weight or not.
  std::string name;
  /// As in ProfileWeight.
  std::string unit;
  uint64_t amount = 0;

  bool operator==(const SamplePeriod &) const = default;
};

struct Profile {
  /// The record's file name without folders, or what the user said.
  std::string title;
  std::vector<ProfileModule> modules;
  /// In no particular order; there may be some that no context has.
  std::vector<ProfileFunction> functions;
  ContextTree tree;
  /// At least one, with different names; each column is as long as the tree.
  std::vector<ProfileWeight> weights;
  /// The weight that is shown, or shown first by formats that hold several.
  WeightIndex shown = 0;
  /// The weight that the shown one is looked at in relation to, as in ns per fuel; nothing: it is
  /// shown by itself.
  std::optional<WeightIndex> per = std::nullopt;
  /// Nothing if the profile has no samples, or if it is not known or not the same for all of them.
  std::optional<SamplePeriod> samplePeriod = std::nullopt;

  uint64_t self(NodeIndex node) const { return weights[shown].self[node]; }
  uint64_t self(NodeIndex node, WeightIndex weight) const { return weights[weight].self[node]; }
  /// Of each context its own weight and that of all it called; of the root that of all contexts.
  /// Sums stop at the largest number.
  std::vector<uint64_t> inclusive(WeightIndex weight) const;
  std::vector<uint64_t> inclusive() const { return inclusive(shown); }
  /// Of all contexts together.
  uint64_t total(WeightIndex weight) const;
  uint64_t total() const { return total(shown); }

  llvm::StringRef unit() const { return weights[shown].unit; }
  /// Nothing if the profile has no such weight.
  std::optional<WeightIndex> findWeight(llvm::StringRef name) const;

  /// Whether it counts samples, so that numbers of calls are unknown.
  bool isSampled() const { return findWeight("samples").has_value(); }
  /// Of the context itself; 0 in a profile that does not count calls.
  uint64_t calls(NodeIndex node) const {
    std::optional<WeightIndex> weight = findWeight("calls");
    return weight ? self(node, *weight) : 0;
  }

  const ProfileFunction &function(NodeIndex node) const { return functions[tree[node].function]; }
  llvm::StringRef name(NodeIndex node) const { return function(node).name; }
  bool isPseudo(NodeIndex node) const { return function(node).kind == FunctionKind::pseudo; }

  /// A profile of the same weights without contexts, and without functions and modules if
  /// `withFunctions` is false: what a view begins with.
  Profile emptyCopy(bool withFunctions = true) const;
};

/// The profile of a call tree: its weights are the first of the record's `measures`, `calls`, and
/// those of the others that the tree has columns of; of samples, `samples` in place of `calls`.
/// Each context's time becomes nanoseconds, rounded down, if its scale is known, so that all sums
/// of it agree.
Profile makeProfile(const CallTree &tree, const FunctionTable &functions,
                    llvm::ArrayRef<Measure> measures, llvm::StringRef title);

/// The same without contexts: each function, with all of its calls, stands below the host alone, in
/// the order of the table.
Profile makeFlatProfile(const FunctionTotals &totals, const FunctionTable &functions,
                        llvm::ArrayRef<Measure> measures, llvm::StringRef title);

/// Without its weights in time, so that it is the same on each run. Something is shown that is
/// left.
Profile withoutTime(Profile profile);

} // namespace warpo

#endif
