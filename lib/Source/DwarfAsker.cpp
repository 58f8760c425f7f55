//===- DwarfAsker.cpp -----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "DwarfAsker.h"
#include "dwarf/DwarfRequest.h"
#include "warpo/Support/Errors.h"
#include "warpo/Toolchain/Helper.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;
using namespace warpo;

bool warpo::hasDwarf(ArrayRef<wasm::Section> sections) {
  return llvm::any_of(sections, [](const wasm::Section &section) {
    return section.name == ".debug_line" || section.name == ".debug_info";
  });
}

uint64_t warpo::codeOffset(const wasm::Module &module) {
  for (const wasm::Section &section : module.sections)
    if (section.id == wasm::SectionId::code)
      return section.contents.offset;
  return 0;
}

// Without sections that are only about variables, macros and types.
static bool hasPlaces(StringRef name) {
  return StringSwitch<bool>(name)
      .Cases(".debug_info", ".debug_abbrev", ".debug_line", ".debug_line_str", ".debug_str", true)
      .Cases(".debug_str_offsets", ".debug_addr", ".debug_ranges", ".debug_rnglists", true)
      .Default(false);
}

// The helper's input: the module's functions, and those of the sections that have places.
static DwarfInput dwarfOf(const wasm::Module &module, ArrayRef<wasm::Section> sections) {
  uint64_t code = codeOffset(module);
  DwarfInput input;
  for (auto [i, body] : enumerate(module.bodies)) {
    FunctionPlaces function;
    function.index = module.importedFunctionCount() + uint32_t(i);
    function.start = uint32_t(body.offset - code);
    function.size = uint32_t(body.bytes.size());
    input.functions.push_back(std::move(function));
  }
  for (const wasm::Section &section : sections)
    if (hasPlaces(section.name))
      input.sections.push_back({section.name, toStringRef(section.contents.bytes)});
  return input;
}

Expected<ModulePlaces> warpo::askDwarf(const wasm::Module &module, ArrayRef<wasm::Section> sections,
                                       StringRef file) {
  if (module.bodies.size() > maxPlaceItems)
    return fileError(file, "more functions than " + Twine(maxPlaceItems));
  SmallVector<uint8_t, 0> request = encodeDwarfRequest(dwarfOf(module, sections));
  auto end = runHelper("warpo-dwarf", {}, toStringRef(request));
  if (!end)
    return end.takeError();
  if (end->exitCode != 0)
    return fileError(file, "its debug information cannot be read: " + end->words);
  auto places = decodeDwarfAnswer(arrayRefFromStringRef(end->result));
  if (!places)
    return fileError(file, "its debug information: " + toString(places.takeError()));
  places->code = uint32_t(codeOffset(module));
  return places;
}
