//===- Module.cpp - Reads a module's sections -----------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Wasm/Module.h"
#include "warpo/Support/Errors.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace warpo;
using namespace warpo::wasm;

unsigned wasm::sectionRank(SectionId id) {
  static const SectionId order[] = {
      SectionId::custom,    SectionId::type,    SectionId::import, SectionId::function,
      SectionId::table,     SectionId::memory,  SectionId::tag,    SectionId::strings,
      SectionId::global,    SectionId::exports, SectionId::start,  SectionId::element,
      SectionId::dataCount, SectionId::code,    SectionId::data,
  };
  return unsigned(llvm::find(order, id) - order);
}

std::string Module::nameOfImport(uint32_t function) const {
  if (StringRef name = names.function(function); !name.empty())
    return name.str();
  return (importOf(function).module + "." + importOf(function).name).str();
}

const Section *Module::findCustomSection(StringRef name) const {
  for (const Section &section : sections)
    if (section.id == SectionId::custom && section.name == name)
      return &section;
  return nullptr;
}

namespace {

const unsigned lastSectionId = unsigned(SectionId::strings);

class ModuleReader {
public:
  explicit ModuleReader(Module &module) : module_(module), cursor_(module.bytes, 0) {}

  Error read();

private:
  void readHeader();
  void readSection(unsigned &lastRank);
  void readContents(const Section &section, ByteCursor &cursor);
  void readImports(ByteCursor &cursor);
  void readImport(Import import, ByteCursor &cursor);
  void readImportGroup(StringRef from, bool sharesKind, ByteCursor &cursor);
  void readMemory(ByteCursor &cursor);
  void readMemories(ByteCursor &cursor);
  void readFunctions(ByteCursor &cursor);
  void readExports(ByteCursor &cursor);
  void readBodies(ByteCursor &cursor);
  uint32_t readFunctionType(ByteCursor &cursor);
  void readNames(const Section &section, bool isFirst);

  Module &module_;
  ByteCursor cursor_;
};

} // namespace

void ModuleReader::readHeader() {
  const uint8_t *begin = cursor_.position();
  if (toStringRef(cursor_.bytes(4)) != StringRef("\0asm", 4))
    return cursor_.failAt(begin, "not a WebAssembly module");
  begin = cursor_.position();
  uint32_t version = cursor_.u32();
  // The upper half of a component's version is the layer, 1.
  if (version >> 16 == 1)
    cursor_.failAt(begin, "a component, not a module: extract its modules first");
  else if (version != 1)
    cursor_.failAt(begin, "unknown version " + Twine(version) + " of WebAssembly");
}

uint32_t ModuleReader::readFunctionType(ByteCursor &cursor) {
  const uint8_t *begin = cursor.position();
  uint32_t type = cursor.uleb32();
  if (cursor.ok() && (type >= module_.types.size() || !module_.types[type]))
    cursor.failAt(begin, "type " + Twine(type) + " is not the type of a function");
  return type;
}

// The kind and type of an import, after its names.
void ModuleReader::readImport(Import import, ByteCursor &cursor) {
  // A function of exactly this type, not of a subtype.
  const uint8_t exactFunction = 0x20;
  const uint8_t *begin = cursor.position();
  uint8_t kind = cursor.u8();
  import.kind = kind == exactFunction ? ExternalKind::function : ExternalKind(kind);
  const uint8_t *typeBegin = cursor.position();
  switch (import.kind) {
  case ExternalKind::function:
    import.type = readFunctionType(cursor);
    module_.functionImports.push_back(uint32_t(module_.imports.size()));
    module_.functionTypes.push_back(import.type);
    break;
  case ExternalKind::table:
    skipTableType(cursor);
    break;
  case ExternalKind::memory:
    readMemory(cursor);
    break;
  case ExternalKind::global:
    skipGlobalType(cursor);
    ++module_.globalCount;
    break;
  case ExternalKind::tag:
    skipTagType(cursor);
    break;
  default:
    cursor.failAt(begin, "unknown kind of import 0x" + utohexstr(kind, true));
  }
  if (import.kind != ExternalKind::function)
    import.typeBytes = {typeBegin, cursor.position()};
  module_.imports.push_back(import);
}

// Several imports from one module, each with its own kind or, if `sharesKind`, with one kind for
// all (the compact import proposal).
void ModuleReader::readImportGroup(StringRef from, bool sharesKind, ByteCursor &cursor) {
  Import import;
  import.module = from;
  ByteCursor kind = cursor;
  if (sharesKind) {
    // Skips the kind; it is read again for each name.
    size_t functions = module_.functionImports.size(), imports = module_.imports.size();
    uint32_t globals = module_.globalCount, memories = module_.memoryCount;
    readImport(import, cursor);
    module_.functionImports.resize(functions);
    module_.functionTypes.resize(functions);
    module_.imports.resize(imports);
    module_.globalCount = globals;
    module_.memoryCount = memories;
  }
  for (uint32_t i = 0, count = readCount(cursor); i < count && cursor.ok(); ++i) {
    import.name = cursor.sizedString();
    if (!sharesKind) {
      readImport(import, cursor);
      continue;
    }
    ByteCursor itsKind = kind;
    readImport(import, itsKind);
  }
}

void ModuleReader::readImports(ByteCursor &cursor) {
  enum : uint8_t { sharedKind = 0x7e, ownKinds = 0x7f };
  for (uint32_t i = 0, count = readCount(cursor); i < count && cursor.ok(); ++i) {
    Import import;
    import.module = cursor.sizedString();
    import.name = cursor.sizedString();
    ByteCursor next = cursor;
    uint8_t kind = next.u8();
    if (import.name.empty() && (kind == sharedKind || kind == ownKinds)) {
      cursor.u8();
      readImportGroup(import.module, kind == sharedKind, cursor);
    } else {
      readImport(import, cursor);
    }
  }
}

void ModuleReader::readMemory(ByteCursor &cursor) {
  const uint8_t sharedFlag = 2;
  module_.hasSharedMemory |= !cursor.atEnd() && (*cursor.position() & sharedFlag);
  ++module_.memoryCount;
  skipLimits(cursor);
}

void ModuleReader::readMemories(ByteCursor &cursor) {
  for (uint32_t i = 0, count = readCount(cursor); i < count && cursor.ok(); ++i)
    readMemory(cursor);
}

void ModuleReader::readFunctions(ByteCursor &cursor) {
  for (uint32_t i = 0, count = readCount(cursor); i < count && cursor.ok(); ++i)
    module_.functionTypes.push_back(readFunctionType(cursor));
}

void ModuleReader::readExports(ByteCursor &cursor) {
  for (uint32_t i = 0, count = readCount(cursor); i < count && cursor.ok(); ++i) {
    Export entry;
    entry.name = cursor.sizedString();
    const uint8_t *begin = cursor.position();
    uint8_t kind = cursor.u8();
    entry.kind = ExternalKind(kind);
    if (kind > uint8_t(ExternalKind::tag))
      cursor.failAt(begin, "unknown kind of export 0x" + utohexstr(kind, true));
    begin = cursor.position();
    entry.index = cursor.uleb32();
    if (cursor.ok() && entry.kind == ExternalKind::function &&
        entry.index >= module_.functionCount())
      cursor.failAt(begin, "export of function " + Twine(entry.index) +
                               ", but the module has only " + Twine(module_.functionCount()));
    module_.exports.push_back(entry);
  }
}

void ModuleReader::readBodies(ByteCursor &cursor) {
  const uint8_t *begin = cursor.position();
  uint32_t count = readCount(cursor);
  uint32_t declared = module_.functionCount() - module_.importedFunctionCount();
  if (cursor.ok() && count != declared)
    cursor.failAt(begin, countOf(count, "function body", "function bodies") + ", but " +
                             Twine(declared) + " declared");
  module_.bodies.reserve(count);
  for (uint32_t i = 0; i < count && cursor.ok(); ++i) {
    uint32_t size = cursor.uleb32();
    ByteRange body;
    body.offset = cursor.offset();
    body.bytes = cursor.bytes(size);
    module_.bodies.push_back(body);
  }
}

void ModuleReader::readContents(const Section &section, ByteCursor &cursor) {
  switch (section.id) {
  case SectionId::type:
    module_.types = readTypeSection(cursor);
    break;
  case SectionId::import:
    readImports(cursor);
    break;
  case SectionId::function:
    readFunctions(cursor);
    break;
  case SectionId::global:
    module_.globalCount += readCount(cursor);
    return;
  case SectionId::memory:
    readMemories(cursor);
    break;
  case SectionId::exports:
    readExports(cursor);
    break;
  case SectionId::code:
    readBodies(cursor);
    break;
  default:
    // Not decoded here.
    return;
  }
  if (cursor.ok() && !cursor.atEnd())
    cursor.fail(countOf(cursor.remaining(), "byte") + " left over at the end of the section");
}

void ModuleReader::readSection(unsigned &lastRank) {
  Section section;
  const uint8_t *begin = cursor_.position();
  section.whole.offset = cursor_.offset();
  uint8_t id = cursor_.u8();
  if (id > lastSectionId)
    return cursor_.failAt(begin, "unknown section " + Twine(unsigned(id)));
  section.id = SectionId(id);
  uint32_t size = cursor_.uleb32();
  uint64_t offset = cursor_.offset();
  ByteCursor contents(cursor_.bytes(size), offset);
  if (!cursor_.ok())
    return;
  section.whole.bytes = ArrayRef<uint8_t>(begin, cursor_.position());

  if (section.id == SectionId::custom) {
    section.name = contents.sizedString();
  } else {
    unsigned rank = sectionRank(section.id);
    if (rank <= lastRank)
      return cursor_.failAt(begin,
                            "section " + Twine(unsigned(id)) + " is out of order or repeated");
    lastRank = rank;
  }
  section.contents.offset = contents.offset();
  section.contents.bytes = ArrayRef<uint8_t>(contents.position(), contents.remaining());
  readContents(section, contents);
  cursor_.adoptFailure(contents);
  module_.sections.push_back(section);
}

void ModuleReader::readNames(const Section &section, bool isFirst) {
  ByteCursor cursor = section.contents.cursor();
  Names names = readNameSection(cursor, module_.functionCount());
  if (!isFirst)
    cursor.failAt(section.contents.bytes.begin(), "section 'name' is repeated");
  if (Error error = cursor.takeError(module_.fileName)) {
    module_.damagedNames = toString(std::move(error));
    module_.names = Names();
  } else {
    module_.names = std::move(names);
  }
}

Error ModuleReader::read() {
  readHeader();
  unsigned lastRank = 0;
  while (cursor_.ok() && !cursor_.atEnd())
    readSection(lastRank);
  uint32_t defined = module_.functionCount() - module_.importedFunctionCount();
  if (cursor_.ok() && module_.bodies.size() != defined)
    cursor_.fail(countOf(defined, "function") + " declared, but no code section");
  if (Error error = cursor_.takeError(module_.fileName))
    return error;
  // Names come last, since their section may precede that of the functions.
  bool isFirst = true;
  for (const Section &section : module_.sections)
    if (section.id == SectionId::custom && section.name == "name") {
      readNames(section, isFirst);
      isFirst = false;
    }
  return Error::success();
}

Expected<Module> wasm::readModule(ArrayRef<uint8_t> bytes, StringRef fileName) {
  if (bytes.empty())
    return fileError(fileName, "the module is empty");
  Module module;
  module.fileName = fileName.str();
  module.bytes = bytes;
  if (Error error = ModuleReader(module).read())
    return error;
  return module;
}
