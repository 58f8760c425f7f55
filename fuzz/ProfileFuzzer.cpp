//===- ProfileFuzzer.cpp - Any bytes as a saved profile -------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// What the reader takes is written in the canonical form, which is read as the same profile. The
// input is what stands between the magic and the checksum, which no mutation would find.
//
//===----------------------------------------------------------------------===//

#include "WrittenProfile.h"
#include "llvm/Support/xxhash.h"

using namespace llvm;
using namespace warpo;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  std::string file("\0wprof\r\n\1", 9);
  file.append(reinterpret_cast<const char *>(bytes), size);
  uint64_t checksum = xxh3_64bits(arrayRefFromStringRef(file));
  for (unsigned i = 0; i < 8; ++i)
    file.push_back(char(checksum >> (8 * i)));

  auto profile = readSaved(file);
  if (!profile) {
    consumeError(profile.takeError());
    return 0;
  }
  checkThatItIsKept(*profile);
  return 0;
}
