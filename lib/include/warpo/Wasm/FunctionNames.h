//===- FunctionNames.h - A name for every function ------------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_WASM_FUNCTIONNAMES_H
#define WARPO_WASM_FUNCTIONNAMES_H

#include "warpo/Wasm/Module.h"

namespace warpo::wasm {

/// The name of a function is that of the name section; else that of an import as `module.name`;
/// else that of its first export; else `func[12]`.
class FunctionNames {
public:
  /// `module` must outlive it.
  explicit FunctionNames(const Module &module);

  std::string operator[](uint32_t function) const;
  /// The same, with a hash of the code of a function that has no other name (NumberedName).
  std::string recorded(uint32_t function) const;
  /// The name without regard to the function's number; empty if there is none.
  std::string given(uint32_t function) const;
  /// The name of a function that has no other.
  static std::string numbered(uint32_t function);
  /// How many functions with code are named by an export, and how many by their number only.
  uint32_t namedByExport() const { return namedByExport_; }
  uint32_t unnamed() const { return unnamed_; }

private:
  const Module &module_;
  /// By function with code: the first of its exports with a name; null if there is none.
  std::vector<const Export *> exports_;
  uint32_t namedByExport_ = 0;
  uint32_t unnamed_ = 0;
};

} // namespace warpo::wasm

#endif
