//===- ModuleIdentity.cpp -------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Wasm/ModuleIdentity.h"
#include "warpo/Support/ByteCursor.h"
#include "warpo/Support/ByteWriter.h"
#include "warpo/Wasm/CustomSectionReader.h"
#include "llvm/Support/BLAKE3.h"

using namespace llvm;
using namespace warpo;
using namespace warpo::wasm;

static const uint8_t knownVersion = 1;

ModuleIdentity ModuleIdentity::ofOriginal(ArrayRef<uint8_t> bytes) {
  ModuleIdentity identity;
  identity.originalHash = BLAKE3::hash(bytes);
  identity.moduleId = support::endian::read64le(identity.originalHash.data());
  return identity;
}

SmallVector<uint8_t, 0> wasm::encodeModuleIdentity(const ModuleIdentity &identity) {
  SmallVector<uint8_t, 0> contents;
  ByteWriter writer(contents);
  writer.u8(knownVersion);
  for (unsigned shift = 0; shift < 64; shift += 8)
    writer.u8(uint8_t(identity.moduleId >> shift));
  writer.bytes(identity.originalHash);
  writer.uleb(identity.originalBuildId.size());
  writer.bytes(identity.originalBuildId);
  return contents;
}

static ModuleIdentity readContents(ByteCursor &cursor) {
  ModuleIdentity identity;
  uint8_t version = cursor.u8();
  if (cursor.ok() && version != knownVersion)
    cursor.fail("version " + Twine(unsigned(version)) + " of section '" + moduleIdentitySection +
                "', known is " + Twine(unsigned(knownVersion)));
  identity.moduleId = cursor.u64();
  llvm::copy(cursor.bytes(identity.originalHash.size()), identity.originalHash.begin());
  StringRef buildId = cursor.sizedString();
  identity.originalBuildId.assign(buildId.bytes_begin(), buildId.bytes_end());
  return identity;
}

Expected<std::optional<ModuleIdentity>> wasm::readModuleIdentity(ArrayRef<uint8_t> bytes,
                                                                 StringRef fileName) {
  std::optional<ModuleIdentity> identity;
  if (Error error =
          readCustomSections(bytes, fileName, moduleIdentitySection,
                             [&](ByteCursor &cursor) { identity = readContents(cursor); }))
    return error;
  return identity;
}

Error wasm::renewBuildId(MutableArrayRef<uint8_t> module, StringRef fileName) {
  std::vector<MutableArrayRef<uint8_t>> places;
  if (Error error = readCustomSections(module, fileName, "build_id", [&](ByteCursor &cursor) {
        StringRef id = cursor.sizedString();
        places.push_back(module.slice(size_t(id.bytes_begin() - module.data()), id.size()));
      }))
    return error;
  if (places.empty())
    return Error::success();
  for (MutableArrayRef<uint8_t> place : places)
    std::fill(place.begin(), place.end(), uint8_t(0));
  auto hash = BLAKE3::hash(module);
  for (MutableArrayRef<uint8_t> place : places)
    for (size_t i = 0; i != place.size(); ++i)
      place[i] = hash[i % hash.size()];
  return Error::success();
}
