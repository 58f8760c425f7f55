//===- Module.h - What a module says outside of its code ------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// A reading view of a module: sections, types, imports, functions, exports, where the bodies lie,
// names. Everything refers to the bytes of the module, which somebody else owns and which must
// outlive it. Code, tables, globals, elements and data are left to those who walk over them.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_WASM_MODULE_H
#define WARPO_WASM_MODULE_H

#include "warpo/Wasm/NameSection.h"
#include "warpo/Wasm/Types.h"
#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace warpo::wasm {

enum class SectionId : uint8_t {
  custom,
  type,
  import,
  function,
  table,
  memory,
  global,
  exports,
  start,
  element,
  code,
  data,
  dataCount,
  tag,
  strings,
};

/// Where a section stands in the order that the specification gives to all but custom ones; 0 for
/// those.
unsigned sectionRank(SectionId id);

/// Bytes with their offset in the module.
struct ByteRange {
  llvm::ArrayRef<uint8_t> bytes;
  uint64_t offset = 0;

  ByteCursor cursor() const { return ByteCursor(bytes, offset); }
};

struct Section {
  SectionId id = SectionId::custom;
  /// Of a custom section.
  llvm::StringRef name;
  /// From the identifier to the end.
  ByteRange whole;
  /// What follows the size, of a custom section the name.
  ByteRange contents;
};

/// What imports and exports are of.
enum class ExternalKind : uint8_t { function, table, memory, global, tag };

struct Import {
  llvm::StringRef module;
  llvm::StringRef name;
  ExternalKind kind = ExternalKind::function;
  /// Of a function.
  uint32_t type = 0;
  /// The type of anything else, as it is encoded.
  llvm::ArrayRef<uint8_t> typeBytes = {};
};

struct Export {
  llvm::StringRef name;
  ExternalKind kind = ExternalKind::function;
  uint32_t index = 0;
};

struct Module {
  /// For error texts.
  std::string fileName;
  llvm::ArrayRef<uint8_t> bytes;

  std::vector<Section> sections;
  TypeTable types;
  std::vector<Import> imports;
  /// The imported functions, as indices of `imports`: function 0 is the first of them.
  std::vector<uint32_t> functionImports;
  /// The type of every function, imported ones first.
  std::vector<uint32_t> functionTypes;
  uint32_t globalCount = 0;
  uint32_t memoryCount = 0;
  /// Whether threads can share one of the memories.
  bool hasSharedMemory = false;
  std::vector<Export> exports;
  /// Local declarations and code of each defined function, without the size.
  std::vector<ByteRange> bodies;
  Names names;
  /// Why the name section cannot be read, with the place; empty if it can, or if there is none.
  /// Engines do not look at it, so neither does it make a module bad: it counts as absent.
  std::string damagedNames;

  uint32_t functionCount() const { return uint32_t(functionTypes.size()); }
  uint32_t importedFunctionCount() const { return uint32_t(functionImports.size()); }
  bool isImported(uint32_t function) const { return function < functionImports.size(); }
  /// Of an imported function.
  const Import &importOf(uint32_t function) const { return imports[functionImports[function]]; }
  /// The name of an imported function: that of the name section, or else `module.name`.
  std::string nameOfImport(uint32_t function) const;
  const FunctionType &typeOf(uint32_t function) const { return *types[functionTypes[function]]; }
  /// Null if there is none.
  const Section *findCustomSection(llvm::StringRef name) const;
};

/// Reads a module; an error has the place in the file. Not a validator: it checks what the structs
/// above promise (indices of types, counts, lengths, the order of sections) and no more.
llvm::Expected<Module> readModule(llvm::ArrayRef<uint8_t> bytes, llvm::StringRef fileName);

} // namespace warpo::wasm

#endif
