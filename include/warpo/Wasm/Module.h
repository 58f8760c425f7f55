//===- Module.h - A module without its code -------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// A read-only view of a module: sections, types, imports, functions, exports, names, and the places
// of function bodies. Refers to the bytes of the module, which must outlive it. Code, tables,
// globals, elements and data are not decoded.
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

/// The position of a section in the order of the specification; 0 for custom sections.
unsigned sectionRank(SectionId id);

/// Bytes with their offset in the module.
struct ByteRange {
  llvm::ArrayRef<uint8_t> bytes;
  uint64_t offset = 0;

  ByteCursor cursor() const { return ByteCursor(bytes, offset); }
};

struct Section {
  SectionId id = SectionId::custom;
  /// The name of a custom section.
  llvm::StringRef name;
  /// From the identifier to the end.
  ByteRange whole;
  /// What follows the size or, in a custom section, the name.
  ByteRange contents;
};

/// The kinds of imports and exports.
enum class ExternalKind : uint8_t { function, table, memory, global, tag };

struct Import {
  llvm::StringRef module;
  llvm::StringRef name;
  ExternalKind kind = ExternalKind::function;
  /// The type of a function.
  uint32_t type = 0;
  /// The encoded type of anything else.
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
  /// Local declarations and code of each defined function, without the size in front.
  std::vector<ByteRange> bodies;
  Names names;
  /// Why the name section cannot be read, with the place; empty if it can, or if there is none.
  /// Engines ignore the name section, so a damaged one counts as absent and is no error.
  std::string damagedNames;

  uint32_t functionCount() const { return uint32_t(functionTypes.size()); }
  uint32_t importedFunctionCount() const { return uint32_t(functionImports.size()); }
  bool isImported(uint32_t function) const { return function < functionImports.size(); }
  /// `function` must be imported.
  const Import &importOf(uint32_t function) const { return imports[functionImports[function]]; }
  /// The name of an imported function: from the name section, otherwise `module.name`.
  std::string nameOfImport(uint32_t function) const;
  const FunctionType &typeOf(uint32_t function) const { return *types[functionTypes[function]]; }
  /// Null if there is none.
  const Section *findCustomSection(llvm::StringRef name) const;
};

/// Reads a module; an error has the place in the file. Not a validator: it only checks what the
/// structs above promise (indices of types, counts, lengths, the order of sections).
llvm::Expected<Module> readModule(llvm::ArrayRef<uint8_t> bytes, llvm::StringRef fileName);

} // namespace warpo::wasm

#endif
