//===- ProfileDiff.h - What changed between two sides ---------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// A side is one profile or several, of runs that should be equal. Several runs show how much a
// number varies by itself; what is inside of that is no change.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_PROFILE_PROFILEDIFF_H
#define WARPO_PROFILE_PROFILEDIFF_H

#include "warpo/Profile/Profile.h"
#include "llvm/Support/Error.h"

namespace warpo {

/// A number over the runs of a side; a run that lacks the item counts as 0.
struct Spread {
  double mean = 0;
  double min = 0;
  double max = 0;
};

struct Change {
  Spread before;
  Spread after;

  double difference() const { return after.mean - before.mean; }
  /// Whether no run of a side is as good and none as bad as one of the other side. With one run on
  /// each side, whether there is a difference at all.
  bool isReal() const { return after.min > before.max || after.max < before.min; }
  /// The difference if it is real, else 0.
  double realDifference() const { return isReal() ? difference() : 0; }
};

/// On which side something is.
enum class Presence : uint8_t { both, added, gone };

/// By what a function of one side was found on the other.
enum class FunctionMatch : uint8_t {
  /// Of no other side: it was added, or is gone.
  none,
  name,
  /// Another name, but the same code.
  body,
  /// One side does not know its name, but mostly the same callers and callees, or it stands
  /// between the same functions.
  neighbours,
};

struct DiffFunction {
  /// As the new side has it; as the old one has it if it is gone.
  ProfileFunction function;
  Presence presence = Presence::both;
  FunctionMatch match = FunctionMatch::none;
  /// Of the old side, where it is another one; else empty.
  std::string formerName = {};
};

/// How one weight changed.
struct DiffWeight {
  std::string name;
  std::string unit;
  /// By context, each as in Profile.
  std::vector<Change> self;
  std::vector<Change> inclusive;
  /// By function, all its contexts together. Inclusive: without the calls from within itself.
  std::vector<Change> functionSelf;
  std::vector<Change> functionInclusive;
  /// functionInclusive by call, run by run. Empty if the profiles do not count calls.
  std::vector<Change> perCall;
};

struct Increase {
  /// Of the whole before; 0 if nothing has increased, infinite if the whole was 0.
  double share = 0;
  /// noFunction: the whole.
  FunctionIndex function = noFunction;
};

/// A module that each side has under another name; a name may be empty.
struct RenamedModule {
  std::string before;
  std::string after;
};

struct ProfileDiff {
  size_t runsBefore = 0;
  size_t runsAfter = 0;
  std::vector<ProfileModule> modules;
  std::vector<RenamedModule> renamedModules;
  std::vector<DiffFunction> functions;
  /// The contexts of all runs.
  ContextTree tree;
  /// By context; the root's is `both`.
  std::vector<Presence> contexts;
  /// Those that all runs have.
  std::vector<DiffWeight> weights;
  WeightIndex shown = 0;

  /// Nothing if the diff has no such weight.
  std::optional<WeightIndex> findWeight(llvm::StringRef name) const;
  const DiffWeight &weight() const { return weights[shown]; }
  const DiffFunction &function(NodeIndex node) const { return functions[tree[node].function]; }

  /// The part of a function's change in inclusive weight that comes from being called more or less
  /// often, at the cost of a call as it was; the rest of it comes from the cost of a call.
  double differenceByCalls(FunctionIndex function, WeightIndex weight) const;

  /// The largest real increase of the shown weight: of the whole, or of a function with all that it
  /// calls.
  Increase largestIncrease() const;
};

/// Compares sides of one profile or more each. Functions are the same if their modules and names
/// are; of those left over, if their code is (where the profiles know it). Of those still left, a
/// function whose name one side does not know is the same if it stands between two that have moved
/// by as much as it, or if at least two of its callers and callees are the same and most are.
/// Modules without a name count as one.
/// A module that one side alone has by its name is the same as one that the other side alone has,
/// if each is the only one, or most of their functions are the same. An error if there is no weight
/// that all runs have, or one has different units.
llvm::Expected<ProfileDiff> diffProfiles(llvm::ArrayRef<Profile> before,
                                         llvm::ArrayRef<Profile> after);

} // namespace warpo

#endif
