//===- ImportFuzzer.cpp - Any bytes as another program's profile ----------===//
// SPDX-License-Identifier: Apache-2.0
//
// Each of the formats reads the input, whether it knows it or not. What one takes must be a profile
// that our own format keeps.
//
//===----------------------------------------------------------------------===//

#include "WrittenProfile.h"

using namespace llvm;
using namespace warpo;

static constexpr StringLiteral ours = "warpo-profile";

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  auto known = cantFail(warpo::Registry<ProfileFormat>::entries());
  for (const RegistryEntryInfo &entry : known) {
    if (entry.name == ours)
      continue;
    auto format = cantFail(warpo::Registry<ProfileFormat>::create(entry.name));
    ArrayRef<uint8_t> input(bytes, size);
    (void)format->sniff(input.take_front(ProfileFormat::sniffSize));
    auto profile = format->read(input, "profile");
    if (!profile) {
      consumeError(profile.takeError());
      continue;
    }
    checkThatItIsKept(*profile);
  }
  return 0;
}
