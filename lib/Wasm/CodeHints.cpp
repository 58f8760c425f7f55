//===- CodeHints.cpp ------------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Wasm/CodeHints.h"
#include "warpo/Support/ByteWriter.h"

using namespace llvm;
using namespace warpo::wasm;

std::string warpo::wasm::hintNumber(uint64_t value) {
  uint8_t encoded[10];
  return std::string(encoded, encoded + encodeULEB128(value, encoded));
}

SmallVector<uint8_t, 0> warpo::wasm::encodeCodeHints(const CodeHints &hints) {
  SmallVector<uint8_t, 0> contents;
  ByteWriter writer(contents);
  writer.uleb(hints.size());
  for (const auto &[function, ofFunction] : hints) {
    writer.uleb(function);
    writer.uleb(ofFunction.size());
    for (const auto &[offset, payload] : ofFunction) {
      writer.uleb(offset);
      writer.name(payload);
    }
  }
  return contents;
}

SmallVector<uint8_t, 0> warpo::wasm::encodeFunctionHints(const FunctionHints &hints) {
  SmallVector<uint8_t, 0> contents;
  ByteWriter writer(contents);
  writer.uleb(hints.size());
  for (const auto &[function, payload] : hints) {
    writer.uleb(function);
    writer.uleb(0); // offset
    writer.name(payload);
  }
  return contents;
}
