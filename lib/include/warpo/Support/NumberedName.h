//===- NumberedName.h - What a function without a name is called ----------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_SUPPORT_NUMBEREDNAME_H
#define WARPO_SUPPORT_NUMBEREDNAME_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>
#include <string>

namespace warpo {

/// A function by where it stands: `func[12]`, or, in records and instrumented modules, with a hash
/// of its code by which another build's function is known to be the same:
/// `func[12]#07c9e02a51f3b684`.
struct NumberedName {
  /// In the original module, imported functions first.
  uint32_t index = 0;
  /// Of wasm::hashBody(); 0: unknown.
  uint64_t bodyHash = 0;

  /// With the hash if that is known.
  std::string text() const;
  /// Nothing for a name of another form. V8 writes `wasm-function[12]`.
  static std::optional<NumberedName> parse(llvm::StringRef name);
};

} // namespace warpo

#endif
