//===- DwarfPlaces.h - Places from DWARF ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_SOURCE_DWARF_DWARFPLACES_H
#define WARPO_LIB_SOURCE_DWARF_DWARFPLACES_H

#include "warpo/Places/ModulePlaces.h"

namespace warpo {

struct DwarfSection {
  /// `.debug_info`
  llvm::StringRef name;
  llvm::StringRef contents;
};

struct DwarfInput {
  /// In these, index, start and size are those of each function with code, rising.
  std::vector<FunctionPlaces> functions;
  std::vector<DwarfSection> sections;
};

/// The places of the functions that DWARF of version 2 to 5 describes; only these sections are
/// read. LLVM's reader survives most damaged input, but some of it takes much time or memory, or
/// ends the process. Therefore this runs in a process of its own.
ModulePlaces readDwarf(const DwarfInput &input);

} // namespace warpo

#endif
