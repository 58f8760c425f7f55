//===- CompanionLocator.cpp - DWARF in a file of its own ------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// A module that was stripped names the file with its DWARF in the section `external_debug_info`: a
// length and a URL; or the file lies beside it and is called like it (`app.debug.wasm`).
//
//===----------------------------------------------------------------------===//

#include "Companion.h"
#include "DwarfAsker.h"
#include "warpo/Source/SourceLocator.h"
#include "warpo/Wasm/CompanionFile.h"

using namespace llvm;
using namespace warpo;

static constexpr StringLiteral section = "external_debug_info";

static Expected<std::string> namedFile(const LocatorInput &input, const wasm::Section &section) {
  ByteCursor cursor = section.contents.cursor();
  StringRef url = cursor.sizedString();
  if (Error error = cursor.takeError(input.module.fileName))
    return error;
  return wasm::findBeside(input.moduleFile, url, "its debug information", "--debug-file");
}

namespace {

class CompanionLocator : public SourceLocator {
public:
  LocatorClaim claim(const LocatorInput &input) const override {
    if (!input.debugFile.empty())
      return LocatorClaim::given;
    if (input.module.findCustomSection(section))
      return LocatorClaim::named;
    return wasm::debugFilesBeside(input.moduleFile).empty() ? LocatorClaim::none
                                                            : LocatorClaim::beside;
  }

  Expected<ModulePlaces> read(const LocatorInput &input) const override {
    CompanionChoice choice(input.module);
    if (!input.debugFile.empty()) {
      choice.add(input.debugFile.str(), CompanionFit::given);
    } else {
      if (const wasm::Section *named = input.module.findCustomSection(section))
        choice.add(namedFile(input, *named), CompanionFit::named);
      for (std::string &path : wasm::debugFilesBeside(input.moduleFile))
        choice.add(std::move(path), CompanionFit::calledSo);
    }
    auto file = choice.take();
    if (!file)
      return file.takeError();
    if (!*file)
      return ModulePlaces();
    return askDwarf(input.module, (*file)->sections(), (*file)->path());
  }
};

} // namespace

static warpo::Registry<SourceLocator>::Add<CompanionLocator>
    registration("companion", "DWARF in a file that the module names, in app.debug.wasm beside it, "
                              "or in --debug-file");
