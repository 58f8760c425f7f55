//===- DwarfLocator.cpp - DWARF in the module -----------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "DwarfAsker.h"
#include "warpo/Source/SourceLocator.h"

using namespace llvm;
using namespace warpo;

namespace {

class DwarfLocator : public SourceLocator {
public:
  LocatorClaim claim(const LocatorInput &input) const override {
    return hasDwarf(input.module.sections) ? LocatorClaim::held : LocatorClaim::none;
  }
  Expected<ModulePlaces> read(const LocatorInput &input) const override {
    return askDwarf(input.module, input.module.sections, input.module.fileName);
  }
};

} // namespace

static warpo::Registry<SourceLocator>::Add<DwarfLocator>
    registration("dwarf", "DWARF in the module, with inlined functions");
