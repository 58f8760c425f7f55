//===- DwarfPlaces.h - Source locations from DWARF ------------------------===//
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
  /// Each function with code, ascending; only index, start and size are set.
  std::vector<FunctionPlaces> functions;
  std::vector<DwarfSection> sections;
};

/// The source locations of functions described by DWARF 2 to 5; reads only these sections. LLVM's
/// reader survives most damaged input, but some takes much time or memory, or ends the process.
/// Therefore this runs in a separate process.
ModulePlaces readDwarf(const DwarfInput &input);

} // namespace warpo

#endif
