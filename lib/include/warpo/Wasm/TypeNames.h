//===- TypeNames.h - What a module calls its types ------------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_WASM_TYPENAMES_H
#define WARPO_WASM_TYPENAMES_H

#include "warpo/Wasm/Module.h"
#include <map>

namespace warpo::wasm {

/// The names of types in the section `name`; those behind a place where it is damaged are left out.
class TypeNames {
public:
  explicit TypeNames(const Module &module);

  /// `type[12]` for one without a name.
  std::string operator[](uint32_t type) const;

private:
  std::map<uint32_t, std::string> names_;
};

} // namespace warpo::wasm

#endif
