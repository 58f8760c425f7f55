//===- NumberedName.h - Names of functions without a name -----------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_SUPPORT_NUMBEREDNAME_H
#define WARPO_SUPPORT_NUMBEREDNAME_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>
#include <string>

namespace warpo {

/// Names a function by its index: `func[12]`. In records and instrumented modules, this includes a
/// hash of its code, to recognise the function in another build: `func[12]#07c9e02a51f3b684`.
struct NumberedName {
  /// Index in the original module, imported functions first.
  uint32_t index = 0;
  /// From wasm::hashBody(); 0: unknown.
  uint64_t bodyHash = 0;

  /// Includes the hash if known.
  std::string text() const;
  /// Nothing for any other name. Accepts V8's form `wasm-function[12]`, too.
  static std::optional<NumberedName> parse(llvm::StringRef name);
};

} // namespace warpo

#endif
