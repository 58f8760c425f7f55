//===- SavedProfile.cpp ---------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Profile/SavedProfile.h"

using namespace llvm;
using namespace warpo;

WARPO_INSTANTIATE_REGISTRY(warpo::ProfileFormat)

ProfileFormat::~ProfileFormat() = default;

Expected<std::pair<std::unique_ptr<ProfileFormat>, std::string>>
warpo::findProfileFormat(InputStream &stream) {
  auto start = stream.window(ProfileFormat::sniffSize);
  if (!start)
    return start.takeError();
  auto known = warpo::Registry<ProfileFormat>::entries();
  if (!known)
    return known.takeError();
  for (const RegistryEntryInfo &entry : *known) {
    auto format = warpo::Registry<ProfileFormat>::create(entry.name);
    if (!format)
      return format.takeError();
    if ((*format)->sniff(start->take_front(ProfileFormat::sniffSize)))
      return std::pair(std::move(*format), entry.name.str());
  }
  return std::pair(std::unique_ptr<ProfileFormat>(), std::string());
}
