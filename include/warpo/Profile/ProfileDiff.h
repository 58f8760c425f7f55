//===- ProfileDiff.h - What changed between two sides ---------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// A side is one profile, or several of runs that should be equal. Several runs show how much a
// number varies anyway; differences within that range are no change.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_PROFILE_PROFILEDIFF_H
#define WARPO_PROFILE_PROFILEDIFF_H

#include "warpo/Profile/Profile.h"
#include "llvm/Support/Error.h"

namespace warpo {

/// A number over the runs of a side. A run without the item counts as 0.
struct Spread {
  double mean = 0;
  double min = 0;
  double max = 0;
};

struct Change {
  Spread before;
  Spread after;

  double difference() const { return after.mean - before.mean; }
  /// Whether the ranges of the two sides do not overlap. With one run on each side, whether there
  /// is a difference at all.
  bool isReal() const { return after.min > before.max || after.max < before.min; }
  /// The difference if it is real, else 0.
  double realDifference() const { return isReal() ? difference() : 0; }
};

/// On which side something is.
enum class Presence : uint8_t { both, added, gone };

/// How a function of one side was found on the other.
enum class FunctionMatch : uint8_t {
  /// Not found: added or gone.
  none,
  name,
  /// Another name, but the same code.
  body,
  /// One side does not know its name; it has mostly the same callers and callees, or is between the
  /// same functions.
  neighbours,
};

struct DiffFunction {
  /// As on the new side; if gone, as on the old one.
  ProfileFunction function;
  Presence presence = Presence::both;
  FunctionMatch match = FunctionMatch::none;
  /// The name on the old side if it differs; else empty.
  std::string formerName = {};
};

/// How one weight changed.
struct DiffWeight {
  std::string name;
  std::string unit;
  /// By context, as in Profile.
  std::vector<Change> self;
  std::vector<Change> inclusive;
  /// By function, over all its contexts. Inclusive: without calls from within the function itself.
  std::vector<Change> functionSelf;
  std::vector<Change> functionInclusive;
  /// functionInclusive per call of the same run. Empty if the profiles do not count calls.
  std::vector<Change> perCall;
};

struct Increase {
  /// As a share of the total before; 0 if nothing has increased, infinite if the total was 0.
  double share = 0;
  /// noFunction: the total.
  FunctionIndex function = noFunction;
};

/// A module with different names on the two sides; a name may be empty.
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
  /// By context; `both` for the root.
  std::vector<Presence> contexts;
  /// The weights that all runs have.
  std::vector<DiffWeight> weights;
  WeightIndex shown = 0;

  /// Nothing if the diff has no such weight.
  std::optional<WeightIndex> findWeight(llvm::StringRef name) const;
  const DiffWeight &weight() const { return weights[shown]; }
  const DiffFunction &function(NodeIndex node) const { return functions[tree[node].function]; }

  /// The part of a function's inclusive change that is due to the number of calls, at the old cost
  /// per call. The rest is due to the cost per call.
  double differenceByCalls(FunctionIndex function, WeightIndex weight) const;

  /// The largest real increase of the shown weight: the total's or a function's inclusive
  /// one.
  Increase largestIncrease() const;
};

/// Compares two sides of one or more profiles. Functions match by module and name;
/// the rest match by code, if the profiles know it. Of those still unmatched, a
/// function without a name on one side matches if it is between two matched functions
/// that moved by the same distance, or if at least two of its callers and callees
/// match, and most of them do. All modules without a name count as one. A module name
/// on one side matches one on the other if both are the only unmatched ones or most
/// of their functions match. Fails if no weight is in all runs, or if one has
/// different units.
llvm::Expected<ProfileDiff> diffProfiles(llvm::ArrayRef<Profile> before,
                                         llvm::ArrayRef<Profile> after);

} // namespace warpo

#endif
