//===- TypeNames.h - Names of types ---------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_WASM_TYPENAMES_H
#define WARPO_WASM_TYPENAMES_H

#include "warpo/Wasm/Module.h"
#include <map>

namespace warpo::wasm {

/// The names of types in the section `name`, up to the first damage.
class TypeNames {
public:
  explicit TypeNames(const Module &module);

  /// `type[12]` for a type without a name.
  std::string operator[](uint32_t type) const;

private:
  std::map<uint32_t, std::string> names_;
};

} // namespace warpo::wasm

#endif
