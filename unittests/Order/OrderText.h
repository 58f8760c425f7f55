//===- OrderText.h - Modules and lists made of text, for tests ------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_UNITTESTS_ORDER_ORDERTEXT_H
#define WARPO_UNITTESTS_ORDER_ORDERTEXT_H

#include "warpo/Order/OrderList.h"
#include "warpo/Wasm/Module.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/LEB128.h"
#include "llvm/Support/raw_ostream.h"

namespace warpo::test {

struct TestFunction {
  std::string name;
  /// Of its body, at least 2.
  size_t bodySize = 2;
};

/// A module with one imported function, `env.host`, and functions of these names and sizes. An
/// empty name stands for none.
inline std::string moduleBytes(const std::vector<TestFunction> &functions) {
  auto uleb = [](uint64_t value) {
    std::string bytes;
    llvm::raw_string_ostream os(bytes);
    llvm::encodeULEB128(value, os);
    return bytes;
  };
  auto sized = [&](const std::string &bytes) { return uleb(bytes.size()) + bytes; };
  std::string types = uleb(1) + std::string("\x60\0\0", 3);
  std::string imports = uleb(1) + sized("env") + sized("host") + std::string("\0\0", 2);
  std::string declared = uleb(functions.size()) + std::string(functions.size(), '\0');
  std::string code = uleb(functions.size());
  std::string names;
  uint32_t named = 0;
  for (size_t i = 0; i != functions.size(); ++i) {
    code += sized('\0' + std::string(functions[i].bodySize - 2, '\x01') + '\x0b');
    if (functions[i].name.empty())
      continue;
    names += uleb(i + 1) + sized(functions[i].name);
    ++named;
  }
  std::string module("\0asm\1\0\0\0", 8);
  module += '\x01' + sized(types);
  module += '\x02' + sized(imports);
  module += '\x03' + sized(declared);
  module += '\x0a' + sized(code);
  module += '\0' + sized(sized("name") + '\x01' + sized(uleb(named) + names));
  return module;
}

inline OrderModule moduleOf(const std::vector<TestFunction> &functions) {
  return llvm::cantFail(
      OrderModule::create(llvm::arrayRefFromStringRef(moduleBytes(functions)), "app.wasm"));
}

inline std::unique_ptr<InputStream> inputOf(llvm::StringRef text, llvm::StringRef name) {
  return InputStream::fromBytes(llvm::arrayRefFromStringRef(text), name);
}

} // namespace warpo::test

#endif
