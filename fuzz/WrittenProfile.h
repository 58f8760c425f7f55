//===- WrittenProfile.h - A profile in our own format ---------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_FUZZ_WRITTENPROFILE_H
#define WARPO_FUZZ_WRITTENPROFILE_H

#include "warpo/Profile/SavedProfile.h"
#include "llvm/ADT/StringExtras.h"
#include <cstdlib>
#include <string>

namespace warpo {

inline llvm::Expected<Profile> readSaved(llvm::StringRef bytes) {
  return llvm::cantFail(Registry<ProfileFormat>::create("warpo-profile"))
      ->read(llvm::arrayRefFromStringRef(bytes), "profile");
}

/// Ends the process unless the profile, once written, is read as the same one.
inline void checkThatItIsKept(const Profile &profile) {
  auto written = [](const Profile &each) {
    std::string bytes;
    llvm::raw_string_ostream os(bytes);
    writeSavedProfile(each, os);
    return bytes;
  };
  std::string once = written(profile);
  auto again = readSaved(once);
  if (!again || written(*again) != once)
    std::abort();
}

} // namespace warpo

#endif
