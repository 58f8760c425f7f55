//===- FunctionNames.h - A name for every function ------------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_WASM_FUNCTIONNAMES_H
#define WARPO_WASM_FUNCTIONNAMES_H

#include "warpo/Wasm/Module.h"

namespace warpo::wasm {

/// A function has its name from the name section; otherwise that of its import as `module.name`,
/// otherwise that of its first export, otherwise `func[12]`.
class FunctionNames {
public:
  /// `module` must outlive this.
  explicit FunctionNames(const Module &module);

  std::string operator[](uint32_t function) const;
  /// The same, with a hash of the code of a function that has no other name (NumberedName).
  std::string recorded(uint32_t function) const;
  /// Like operator[], but empty instead of a name made from the function's number.
  std::string given(uint32_t function) const;
  /// `func[12]`.
  static std::string numbered(uint32_t function);
  /// How many functions with code have the name of an export, and how many only their number.
  uint32_t namedByExport() const { return namedByExport_; }
  uint32_t unnamed() const { return unnamed_; }

private:
  const Module &module_;
  /// By function with code: its first export with a name; null if there is none.
  std::vector<const Export *> exports_;
  uint32_t namedByExport_ = 0;
  uint32_t unnamed_ = 0;
};

} // namespace warpo::wasm

#endif
