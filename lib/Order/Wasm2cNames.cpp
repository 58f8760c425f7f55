//===- Wasm2cNames.cpp ----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// wasm2c first gives each item of the module a name, unique among those of its kind:
//
//   1. the one of the name section, with `.1`, `.2`, … if an earlier item has it
//   2. else, for what is imported or exported, `module.name` or the export's name
//   3. else its kind's letter and its index: `f12`
//
// 2 and 3 get `_1`, `_2`, … if the name is taken. Then it defines C's names: `w2c_`, and the name
// with what is no letter or digit made `_`; with `_0`, `_1`, … if that is taken. All kinds share
// these, and are defined in the order of the table below. What is imported has other names.
//
//===----------------------------------------------------------------------===//

#include "warpo/Order/Wasm2cNames.h"
#include "Names.h"
#include "warpo/Support/ByteCursor.h"
#include "warpo/Wasm/Module.h"
#include "llvm/ADT/StringExtras.h"
#include <optional>

using namespace llvm;
using namespace warpo;
using wasm::ExternalKind;
using wasm::SectionId;

namespace {

struct ItemKind {
  SectionId section;
  /// Of the name section.
  uint8_t subsection;
  char letter;
  /// Nothing for what can be neither imported nor exported.
  std::optional<ExternalKind> external;
};

const ItemKind itemKinds[] = {
    {SectionId::global, 7, 'g', ExternalKind::global},
    {SectionId::memory, 6, 'M', ExternalKind::memory},
    {SectionId::table, 5, 'T', ExternalKind::table},
    {SectionId::data, 9, 'd', std::nullopt},
    {SectionId::element, 8, 'e', std::nullopt},
    // Others call tags in subsection 11.
    {SectionId::tag, 10, 'e', ExternalKind::tag},
    {SectionId::function, 1, 'f', ExternalKind::function},
};

/// The items of one kind, imported ones first.
class ItemNames {
public:
  ItemNames(const wasm::Module &module, const ItemKind &kind) : module_(module), kind_(kind) {
    for (const wasm::Import &import : module.imports)
      imported_ += kind.external == import.kind;
    size_t defined = 0;
    for (const wasm::Section &section : module.sections)
      if (section.id == kind.section)
        defined = countOf(section);
    names_.resize(imported_ + defined);
  }

  void takeNameSection(ByteCursor names) {
    while (names.ok() && !names.atEnd()) {
      uint8_t id = names.u8();
      ByteCursor contents(names.bytes(names.uleb32()));
      if (id == kind_.subsection)
        takeNames(contents);
    }
  }
  void takeExternalNames() {
    size_t import = 0;
    for (const wasm::Import &entry : module_.imports)
      if (kind_.external == entry.kind)
        useIfNameless(import++, (entry.module + "." + entry.name).str());
    for (const wasm::Export &entry : module_.exports)
      if (kind_.external == entry.kind && entry.index < names_.size())
        useIfNameless(entry.index, entry.name.str());
  }
  void nameTheRest() {
    for (size_t i = 0; i != names_.size(); ++i)
      useIfNameless(i, kind_.letter + std::to_string(i));
  }

  ArrayRef<std::string> defined() const { return ArrayRef(names_).drop_front(imported_); }

private:
  // An item takes at least a byte.
  static size_t countOf(const wasm::Section &section) {
    ByteCursor cursor = section.contents.cursor();
    uint32_t count = cursor.uleb32();
    return std::min<size_t>(count, section.contents.bytes.size());
  }
  void takeNames(ByteCursor &cursor) {
    for (uint32_t rest = cursor.uleb32(); rest > 0 && cursor.ok(); --rest) {
      uint32_t index = cursor.uleb32();
      StringRef name = cursor.sizedString();
      if (cursor.ok() && index < names_.size() && !name.empty())
        names_[index] = unique_.take(name, ".", 1);
    }
  }
  void useIfNameless(size_t index, const std::string &name) {
    if (names_[index].empty())
      names_[index] = unique_.take(name, "_", 1);
  }

  const wasm::Module &module_;
  const ItemKind &kind_;
  size_t imported_ = 0;
  std::vector<std::string> names_;
  UniqueNames unique_;
};

/// The names of one C file.
class CNames {
public:
  std::string define(StringRef name) {
    std::string legal = "w2c_";
    for (char c : name)
      legal += isAlnum(c) ? c : '_';
    // A name has to begin with a letter, whatever is in front of it.
    if (name.empty())
      legal += '_';
    else if (isDigit(name.front()))
      legal[4] = '_';
    return unique_.take(legal, "_", 0);
  }

private:
  UniqueNames unique_;
};

} // namespace

Expected<std::vector<std::string>> warpo::wasm2cFunctionNames(ArrayRef<uint8_t> bytes,
                                                              StringRef fileName) {
  auto module = wasm::readModule(bytes, fileName);
  if (!module)
    return module.takeError();
  const wasm::Section *nameSection = module->findCustomSection("name");
  CNames defined;
  std::vector<std::string> result;
  for (const ItemKind &kind : itemKinds) {
    ItemNames names(*module, kind);
    if (nameSection)
      names.takeNameSection(nameSection->contents.cursor());
    names.takeExternalNames();
    names.nameTheRest();
    for (const std::string &name : names.defined()) {
      std::string symbol = defined.define(name);
      if (kind.section == SectionId::function)
        result.push_back(std::move(symbol));
    }
  }
  return result;
}
