//===- CustomSections.cpp -------------------------------------------------===//

#include "CustomSections.h"

using namespace llvm;
using namespace warpo;
using namespace warpo::wasm;

CustomSectionFate wasm::customSectionFate(StringRef name) {
  if (name == "name")
    return CustomSectionFate::rename;
  // Relocations hold offsets into code, and indices of symbols.
  if (name == "linking" || name.starts_with("reloc."))
    return CustomSectionFate::refuse;
  // DWARF and source maps hold offsets into code.
  if (name.starts_with(".debug_") || name == "sourceMappingURL" || name == "external_debug_info")
    return CustomSectionFate::drop;
  // The identity of the code that was.
  if (name == "build_id")
    return CustomSectionFate::drop;
  // Hints whose payload is known to hold neither functions nor offsets; of others one cannot know.
  if (name.consume_front("metadata.code.")) {
    bool known = name == "branch_hint" || name == "compilation_priority" || name == "instr_freq" ||
                 name == "inline";
    return known ? CustomSectionFate::moveHints : CustomSectionFate::drop;
  }
  return CustomSectionFate::keep;
}
