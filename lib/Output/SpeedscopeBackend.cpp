//===- SpeedscopeBackend.cpp - Profiles for speedscope --------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "profile/SpeedscopeText.h"

using namespace llvm;
using namespace warpo;

namespace {

class SpeedscopeBackend : public ProfileBackend {
public:
  StringRef extension() const override { return ".speedscope.json"; }
  bool isBinary() const override { return false; }
  StringRef timeOrdered() const override { return "speedscope-evented"; }
  Error write(const Profile &profile, raw_ostream &os) override {
    addNotes(writeSpeedscope(ContextList(profile), os));
    return Error::success();
  }
};

warpo::Registry<ProfileBackend>::Add<SpeedscopeBackend>
    registration("speedscope", "sampled stacks for speedscope.app, all weights in one file");

} // namespace
