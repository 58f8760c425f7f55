//===- DwarfRequest.h - Requests to the program warpo-dwarf ---------------===//
// SPDX-License-Identifier: Apache-2.0
//
//   request := functions:u (index:u start:u size:u)*  sections:u (name:text contents:text)*
//   answer  := problems:u text*  size:u places  details       see docs/source-places.md
//   details := (changes  discriminator:u*)*                 of each function, of each of its calls
//              dropped:u (name:u file:u line:u)*
//   changes := count:u (advance:u discriminator:u)*            the first from the function's start
//
// Details are not kept by instrumented modules and records.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_LIB_SOURCE_DWARF_DWARFREQUEST_H
#define WARPO_LIB_SOURCE_DWARF_DWARFREQUEST_H

#include "DwarfPlaces.h"

namespace warpo {

/// Of `functions`, only index, start and size are encoded.
llvm::SmallVector<uint8_t, 0> encodeDwarfRequest(const DwarfInput &input);
/// The result refers to `request`.
llvm::Expected<DwarfInput> decodeDwarfRequest(llvm::ArrayRef<uint8_t> request);

llvm::SmallVector<uint8_t, 0> encodeDwarfAnswer(const ModulePlaces &places);
llvm::Expected<ModulePlaces> decodeDwarfAnswer(llvm::ArrayRef<uint8_t> answer);

} // namespace warpo

#endif
