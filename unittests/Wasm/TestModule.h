//===- TestModule.h - Modules made of text, for tests ---------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_UNITTESTS_WASM_TESTMODULE_H
#define WARPO_UNITTESTS_WASM_TESTMODULE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringExtras.h"
#include <string>
#include <vector>

namespace warpo::test {

using Bytes = std::vector<uint8_t>;

/// "00 61 73" as bytes; spaces may stand anywhere, and 'text' stands for its length and characters.
inline Bytes bytesOf(llvm::StringRef text) {
  Bytes bytes;
  while (!(text = text.ltrim()).empty()) {
    if (text.consume_front("'")) {
      llvm::StringRef name = text.take_until([](char c) { return c == '\''; });
      bytes.push_back(uint8_t(name.size()));
      bytes.insert(bytes.end(), name.bytes_begin(), name.bytes_end());
      text = text.drop_front(name.size() + 1);
    } else {
      bytes.push_back(uint8_t(llvm::hexFromNibbles(text[0], text[1])));
      text = text.drop_front(2);
    }
  }
  return bytes;
}

/// A section of fewer than 128 bytes, as text for bytesOf.
inline std::string section(unsigned id, llvm::StringRef contents) {
  Bytes bytes = bytesOf(contents);
  return llvm::toHex(llvm::ArrayRef<uint8_t>{uint8_t(id), uint8_t(bytes.size())}) +
         llvm::toHex(bytes);
}

inline Bytes moduleOf(llvm::ArrayRef<std::string> sections) {
  std::string text = "0061736d 01000000";
  for (const std::string &section : sections)
    text += section;
  return bytesOf(text);
}

inline std::string hexOf(llvm::ArrayRef<uint8_t> bytes) { return llvm::toHex(bytes, true); }

} // namespace warpo::test

#endif
