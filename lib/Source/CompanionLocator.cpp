//===- CompanionLocator.cpp - DWARF in a file of its own ------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// A module that was stripped names the file with its DWARF in the section `external_debug_info`: a
// length and a URL. That file is a module too, often without code and without functions.
//
//===----------------------------------------------------------------------===//

#include "DwarfAsker.h"
#include "warpo/Source/SourceLocator.h"
#include "warpo/Support/Errors.h"
#include "warpo/Support/InputStream.h"
#include "warpo/Wasm/CompanionFile.h"
#include "warpo/Wasm/CustomSectionReader.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace warpo;

static constexpr StringLiteral section = "external_debug_info";

// The sections of a module of which not even the code needs to be there.
static Expected<std::vector<wasm::Section>> readSections(ArrayRef<uint8_t> bytes, StringRef file) {
  std::vector<wasm::Section> sections;
  if (Error error =
          wasm::forEachCustomSection(bytes, file, [&](StringRef name, ByteCursor &cursor) {
            wasm::Section &read = sections.emplace_back();
            read.name = name;
            read.contents.offset = cursor.offset();
            read.contents.bytes = cursor.bytes(cursor.remaining());
          }))
    return error;
  return sections;
}

static StringRef buildId(ArrayRef<wasm::Section> sections) {
  for (const wasm::Section &each : sections)
    if (each.name == "build_id") {
      ByteCursor cursor = each.contents.cursor();
      return cursor.sizedString();
    }
  return "";
}

namespace {

class CompanionLocator : public SourceLocator {
public:
  LocatorClaim claim(const LocatorInput &input) const override {
    if (!input.debugFile.empty())
      return LocatorClaim::given;
    return input.module.findCustomSection(section) ? LocatorClaim::named : LocatorClaim::none;
  }

  Expected<ModulePlaces> read(const LocatorInput &input) const override {
    std::string path = input.debugFile.str();
    if (path.empty()) {
      ByteCursor cursor = input.module.findCustomSection(section)->contents.cursor();
      StringRef url = cursor.sizedString();
      if (Error error = cursor.takeError(input.module.fileName))
        return error;
      auto found = wasm::findBeside(input.moduleFile, url, "its debug information", "--debug-file");
      if (!found)
        return found.takeError();
      path = std::move(*found);
    }
    auto buffer = readWholeInput(path);
    if (!buffer)
      return buffer.takeError();
    auto sections = readSections(arrayRefFromStringRef((*buffer)->getBuffer()), path);
    if (!sections)
      return sections.takeError();
    StringRef own = buildId(input.module.sections), its = buildId(*sections);
    if (!own.empty() && !its.empty() && own != its)
      return fileError(path, "debug information of another build: its build id is " +
                                 toHex(its, true) + ", the module's " + toHex(own, true));
    if (!hasDwarf(*sections))
      return fileError(path, "has no debug information");
    return askDwarf(input.module, *sections, path);
  }
};

} // namespace

static warpo::Registry<SourceLocator>::Add<CompanionLocator>
    registration("companion", "DWARF in a file that the module names, or --debug-file");
