//===- WindowProfiles.h - The profiles of windows of time -----------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_PROFILE_WINDOWPROFILES_H
#define WARPO_PROFILE_WINDOWPROFILES_H

#include "warpo/Profile/Profile.h"
#include "llvm/Support/Error.h"

namespace warpo {

/// Splits a profile whose roots are the windows of WindowRoots.
class WindowProfiles {
public:
  /// Fails if a root is not a window. The profile may come from several records and have a window
  /// more than once.
  static llvm::Expected<WindowProfiles> create(Profile profile);

  /// The number of windows: at least one, which has no contexts if the profile has none.
  size_t size() const { return begins_.size(); }
  /// In UTC nanoseconds; windows are in order of time.
  uint64_t begin(size_t window) const { return begins_[window]; }
  /// The contexts below the window, with only the functions they use.
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
