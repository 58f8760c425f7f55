//===- WindowProfiles.h - The profile of each window of time --------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_PROFILE_WINDOWPROFILES_H
#define WARPO_PROFILE_WINDOWPROFILES_H

#include "warpo/Profile/Profile.h"
#include "llvm/Support/Error.h"

namespace warpo {

/// Takes a profile apart whose roots are the windows of WindowRoots.
class WindowProfiles {
public:
  /// Fails if a root is no window. The profile may be of several records, and have one window more
  /// than once.
  static llvm::Expected<WindowProfiles> create(Profile profile);

  /// At least one: that of a profile without contexts has none.
  size_t size() const { return begins_.size(); }
  /// In UTC nanoseconds; windows are in the order of time.
  uint64_t begin(size_t window) const { return begins_[window]; }
  /// What was below it, with its functions alone.
  Profile profile(size_t window) const;

private:
  explicit WindowProfiles(Profile profile) : profile_(std::move(profile)) {}

  Profile profile_;
  std::vector<uint64_t> begins_;
  /// The contexts of all windows, each window's in one piece, from first_[window] on.
  std::vector<NodeIndex> nodes_;
  std::vector<size_t> first_;
};

} // namespace warpo

#endif
