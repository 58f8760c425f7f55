//===- CustomSections.cpp -------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "CustomSections.h"

using namespace llvm;
using namespace warpo;
using namespace warpo::wasm;

bool wasm::isDebugSection(StringRef name) {
  return name.starts_with(".debug_") || name == "external_debug_info";
}

CustomSectionFate wasm::customSectionFate(StringRef name, const CustomSectionPolicy &policy) {
  if (name == "name")
    return CustomSectionFate::rename;
  if (name == "target_features")
    return CustomSectionFate::addFeatures;
  // Relocations have offsets into code and indices of symbols.
  if (name == "linking" || name.starts_with("reloc."))
    return CustomSectionFate::refuse;
  // DWARF and source maps have offsets into code.
  if (isDebugSection(name))
    return policy.keepDebug ? CustomSectionFate::keep : CustomSectionFate::drop;
  if (name == "sourceMappingURL")
    return CustomSectionFate::drop;
  // Payloads of unknown hints might have functions or offsets.
  if (name.consume_front("metadata.code.")) {
    bool known = name == "branch_hint" || name == "call_targets" ||
                 name == "compilation_priority" || name == "inline" || name == "instr_freq";
    return known && policy.keepHints ? CustomSectionFate::moveHints : CustomSectionFate::drop;
  }
  return CustomSectionFate::keep;
}
