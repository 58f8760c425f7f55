//===- CodeLayout.cpp -----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Reorder/CodeLayout.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/Support/Compression.h"

using namespace llvm;
using namespace warpo;

static constexpr uint64_t pageSize = 4096;

// gzip adds 18 bytes to deflated data, zlib's format 6.
static constexpr uint64_t gzipFrame = 18, zlibFrame = 6;

static std::optional<uint64_t> gzipSize(ArrayRef<uint8_t> bytes) {
  if (!compression::zlib::isAvailable())
    return std::nullopt;
  SmallVector<uint8_t, 0> compressed;
  compression::zlib::compress(bytes, compressed, compression::zlib::DefaultCompression);
  return compressed.size() + gzipFrame - zlibFrame;
}

static std::optional<uint64_t> zstdSize(ArrayRef<uint8_t> bytes) {
  if (!compression::zstd::isAvailable())
    return std::nullopt;
  // The default level of the command `zstd`.
  static constexpr int usualLevel = 3;
  SmallVector<uint8_t, 0> compressed;
  compression::zstd::compress(bytes, compressed, usualLevel);
  return compressed.size();
}

CodeLayout warpo::measureLayout(const wasm::Module &module, ArrayRef<uint32_t> startup) {
  CodeLayout layout;
  layout.moduleSize = module.bytes.size();
  layout.gzipSize = gzipSize(module.bytes);
  layout.zstdSize = zstdSize(module.bytes);
  const wasm::Section *code = nullptr;
  for (const wasm::Section &section : module.sections)
    if (section.id == wasm::SectionId::code)
      code = &section;
  if (!code)
    return layout;
  layout.codeSize = code->contents.bytes.size();
  BitVector touched(unsigned(layout.codeSize / pageSize + 1));
  for (uint32_t function : startup) {
    const wasm::ByteRange &body = module.bodies[function - module.importedFunctionCount()];
    uint64_t begin = body.offset - code->contents.offset, end = begin + body.bytes.size();
    layout.startupSpan = std::max(layout.startupSpan, end);
    touched.set(unsigned(begin / pageSize), unsigned((end - 1) / pageSize + 1));
  }
  layout.startupPages = touched.count();
  return layout;
}
