//===- TypeNames.cpp ------------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Wasm/TypeNames.h"
#include "warpo/Wasm/CustomSectionReader.h"

using namespace llvm;
using namespace warpo;
using namespace warpo::wasm;

TypeNames::TypeNames(const Module &module) {
  constexpr uint8_t typeNames = 4;
  // Damaged names are no reason to fail.
  consumeError(readCustomSections(module.bytes, module.fileName, "name", [&](ByteCursor &cursor) {
    while (!cursor.atEnd() && cursor.ok()) {
      uint8_t kind = cursor.u8();
      uint32_t size = cursor.uleb32();
      uint64_t offset = cursor.offset();
      ByteCursor contents(cursor.bytes(size), offset);
      if (kind != typeNames)
        continue;
      for (uint32_t i = 0, count = contents.uleb32(); i < count && contents.ok(); ++i) {
        uint32_t type = contents.uleb32();
        StringRef name = contents.sizedString();
        if (contents.ok())
          names_[type] = name.str();
      }
    }
  }));
}

std::string TypeNames::operator[](uint32_t type) const {
  auto name = names_.find(type);
  return name == names_.end() ? "type[" + std::to_string(type) + "]" : name->second;
}
