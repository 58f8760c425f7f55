//===- SavedProfileBackend.cpp - Profiles that warpo can read again -------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Output/ProfileBackend.h"
#include "warpo/Profile/SavedProfile.h"

using namespace llvm;
using namespace warpo;

namespace {

class SavedProfileBackend : public ProfileBackend {
public:
  StringRef extension() const override { return ".wprof"; }
  bool isBinary() const override { return true; }
  Error write(const Profile &profile, raw_ostream &os) override {
    writeSavedProfile(profile, os);
    return Error::success();
  }
};

warpo::Registry<ProfileBackend>::Add<SavedProfileBackend>
    registration("warpo-profile", "a call tree to be read and merged again, by warpo's own tools");

} // namespace
