//===- CustomSectionWriter.h - Appends a section to a module --------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_WASM_CUSTOMSECTIONWRITER_H
#define WARPO_WASM_CUSTOMSECTIONWRITER_H

#include "warpo/Support/ByteWriter.h"
#include "warpo/Wasm/Module.h"

namespace warpo::wasm {

/// `out` must end at the end of a section.
inline void appendCustomSection(llvm::StringRef name, llvm::ArrayRef<uint8_t> contents,
                                ByteWriter &out) {
  out.u8(uint8_t(SectionId::custom));
  ByteWriter::Part part = out.beginPart(name.size() + contents.size() + 1);
  out.name(name);
  out.bytes(contents);
  out.endPart(part);
}

} // namespace warpo::wasm

#endif
