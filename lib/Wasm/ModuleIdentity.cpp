//===- ModuleIdentity.cpp -------------------------------------------------===//

#include "warpo/Wasm/ModuleIdentity.h"
#include "ByteWriter.h"
#include "warpo/Support/ByteCursor.h"
#include "warpo/Wasm/Module.h"
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
  ByteCursor cursor(bytes);
  if (cursor.bytes(4) != ArrayRef<uint8_t>({0, 'a', 's', 'm'}))
    cursor.fail("not a WebAssembly module");
  cursor.u32();
  while (cursor.ok() && !cursor.atEnd()) {
    bool custom = cursor.u8() == uint8_t(SectionId::custom);
    uint32_t size = cursor.uleb32();
    uint64_t offset = cursor.offset();
    ByteCursor section(cursor.bytes(size), offset);
    if (!custom || !cursor.ok() || section.sizedString() != moduleIdentitySection)
      continue;
    identity = readContents(section);
    cursor.adoptFailure(section);
  }
  if (Error error = cursor.takeError(fileName))
    return error;
  return identity;
}
