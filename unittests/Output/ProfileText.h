//===- ProfileText.h - What backends write of small profiles --------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_UNITTESTS_OUTPUT_PROFILETEXT_H
#define WARPO_UNITTESTS_OUTPUT_PROFILETEXT_H

#include "../Profile/ProfileText.h"
#include "warpo/Output/ProfileBackend.h"

namespace warpo::test {

/// What the backend called `format` writes.
inline std::string write(const Profile &profile, llvm::StringRef format) {
  std::string text;
  llvm::raw_string_ostream os(text);
  auto backend = llvm::cantFail(Registry<ProfileBackend>::create(format));
  llvm::cantFail(backend->write(profile, os));
  return text;
}

} // namespace warpo::test

#endif
