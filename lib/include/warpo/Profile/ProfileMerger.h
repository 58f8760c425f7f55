//===- ProfileMerger.h - Merges profiles ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_PROFILE_PROFILEMERGER_H
#define WARPO_PROFILE_PROFILEMERGER_H

#include "warpo/Profile/ProfileBuilder.h"
#include "llvm/Support/Error.h"
#include <memory>

namespace warpo {

/// Adds up profiles. The result does not depend on their order or on whether some were merged
/// before. Functions are equal if their modules and names are; modules without a name are compared
/// by id. Takes memory for the result and one profile.
class ProfileMerger {
public:
  ProfileMerger();
  ~ProfileMerger();

  /// Fails if a weight has another unit than before: counts of a clock cannot be added to
  /// nanoseconds. A missing weight counts as 0.
  llvm::Error add(const Profile &added);

  /// Returns the sum, in canonical order, without a title.
  Profile take();

private:
  std::unique_ptr<class FunctionUnion> functions_;
  ProfileBuilder builder_{Profile()};
  bool hasAny_ = false;
};

/// The same profile in an order that depends only on its contents: modules, functions and weights
/// sorted (time first, then calls), contexts in preorder and by their functions. Drops functions
/// and modules without contexts, and merges equal ones.
Profile canonical(const Profile &profile);

/// Converts time in counts of a clock to nanoseconds, rounding down for each context.
Profile inNanoseconds(Profile profile, TimeScale scale);

} // namespace warpo

#endif
