//===- ProfileMerger.h - One profile of several ---------------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_PROFILE_PROFILEMERGER_H
#define WARPO_PROFILE_PROFILEMERGER_H

#include "warpo/Profile/ProfileBuilder.h"
#include "llvm/Support/Error.h"
#include <memory>

namespace warpo {

/// Adds up profiles. Neither their order nor whether some have been merged before makes a
/// difference to the result. Functions are the same if their modules and names are; a module
/// without a name goes by its id. Memory is that of the result and of one profile.
class ProfileMerger {
public:
  ProfileMerger();
  ~ProfileMerger();

  /// Fails if a weight has another unit than before: counts of a clock cannot be added to
  /// nanoseconds. What one profile does not weigh is 0 in it.
  llvm::Error add(const Profile &added);

  /// The sum, in canonical order, without a title.
  Profile take();

private:
  std::unique_ptr<class FunctionUnion> functions_;
  ProfileBuilder builder_{Profile()};
  bool hasAny_ = false;
};

/// The same profile in an order that depends on nothing but what it says: modules, functions and
/// weights sorted (time first, then calls), contexts callers first and by their functions.
/// Functions and modules that no context has are left out, and those that are alike are one.
Profile canonical(const Profile &profile);

/// Time in nanoseconds, each context's rounded down, where it was in counts of a clock.
Profile inNanoseconds(Profile profile, TimeScale scale);

} // namespace warpo

#endif
