//===- CustomSectionReader.cpp --------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Wasm/CustomSectionReader.h"
#include "warpo/Wasm/Module.h"

using namespace llvm;
using namespace warpo;
using namespace warpo::wasm;

Error wasm::forEachCustomSection(ArrayRef<uint8_t> bytes, StringRef fileName,
                                 function_ref<void(StringRef, ByteCursor &)> read) {
  ByteCursor cursor(bytes);
  if (cursor.bytes(4) != ArrayRef<uint8_t>({0, 'a', 's', 'm'}))
    cursor.fail("not a WebAssembly module");
  cursor.u32();
  while (cursor.ok() && !cursor.atEnd()) {
    bool custom = cursor.u8() == uint8_t(SectionId::custom);
    uint32_t size = cursor.uleb32();
    uint64_t offset = cursor.offset();
    ByteCursor section(cursor.bytes(size), offset);
    if (!custom || !cursor.ok())
      continue;
    StringRef name = section.sizedString();
    read(name, section);
    cursor.adoptFailure(section);
  }
  return cursor.takeError(fileName);
}

Error wasm::readCustomSections(ArrayRef<uint8_t> bytes, StringRef fileName, StringRef name,
                               function_ref<void(ByteCursor &)> read) {
  return forEachCustomSection(bytes, fileName, [&](StringRef found, ByteCursor &cursor) {
    if (found == name)
      read(cursor);
  });
}
