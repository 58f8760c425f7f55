//===- SourceMap.h - Maps locations in a module to source lines -----------===//
// SPDX-License-Identifier: Apache-2.0
//
// Source maps as written by WebAssembly tools: JSON with, among others,
//
//   sources     names of files, below `sourceRoot`
//   mappings := entry (',' entry)*                       one line; `;` would begin another
//   entry    := column [source line sourceColumn [name]]  each a signed VLQ in base 64, the
//                                                         difference to the entry before
//
// where a column is an offset in the module; an entry applies up to the next one. An entry with
// only a column has no known source. All numbers count from 0.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_WASM_SOURCEMAP_H
#define WARPO_WASM_SOURCEMAP_H

#include "warpo/Wasm/CodeMovements.h"
#include "warpo/Wasm/FunctionPermutation.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/JSON.h"
#include <optional>
#include <string>
#include <vector>

namespace warpo::wasm {

struct SourcePlace {
  uint32_t source = 0;
  uint32_t line = 0;
  uint32_t column = 0;
};

struct SourceMapEntry {
  uint32_t offset = 0;
  std::optional<SourcePlace> place;
  /// Only with a place.
  std::optional<uint32_t> name;
};

/// Reads the entries one after another.
class MappingsReader {
public:
  /// The text must outlive the reader.
  explicit MappingsReader(llvm::StringRef text) : text_(text) {}

  /// Returns whether there was another entry. Offsets never decrease; sources and names may be any
  /// numbers.
  llvm::Expected<bool> next(SourceMapEntry &entry);

private:
  llvm::Error fail(const llvm::Twine &what) const;
  bool atFieldEnd() const { return at_ == text_.size() || text_[at_] == ',' || text_[at_] == ';'; }
  llvm::Error readField(uint32_t &field);

  llvm::StringRef text_;
  size_t at_ = 0;
  // The last values: the next ones are differences to them.
  uint32_t offset_ = 0;
  SourcePlace place_;
  uint32_t name_ = 0;
};

class MappingsWriter {
public:
  void add(const SourceMapEntry &entry);
  std::string take() { return std::move(text_); }

private:
  void field(uint32_t &last, uint32_t value);

  std::string text_;
  uint32_t offset_ = 0;
  SourcePlace place_;
  uint32_t name_ = 0;
};

class SourceMap {
public:
  /// Does not check the mappings: entries() and check() do.
  static llvm::Expected<SourceMap> parse(llvm::StringRef json, llvm::StringRef fileName);

  llvm::StringRef fileName() const { return fileName_; }
  /// Paths include `sourceRoot`.
  llvm::ArrayRef<std::string> sources() const { return sources_; }
  /// The text of a source; nothing if the map does not contain it.
  std::optional<llvm::StringRef> text(size_t source) const;
  /// Names that entries refer to; empty if not a string.
  llvm::ArrayRef<std::string> names() const { return names_; }
  MappingsReader entries() const;
  /// Fails unless all entries can be read.
  llvm::Error check() const;

  /// The map as JSON with other mappings, for a module in the file `generated`.
  std::string withMappings(llvm::StringRef mappings, llvm::StringRef generated) const;

private:
  explicit SourceMap(llvm::json::Object object) : object_(std::move(object)) {}

  std::string fileName_;
  llvm::json::Object object_;
  std::vector<std::string> sources_;
  std::vector<std::string> names_;
};

/// Calls `use` with each entry within a body and the body's number, in the order of offsets. The
/// end of a body belongs to it.
llvm::Error forEachEntry(const SourceMap &map, const Module &module,
                         llvm::function_ref<void(const SourceMapEntry &, size_t)> use);

/// The mappings for a rewritten module: each entry follows its instruction, even if its source does
/// not exist (sources may have been removed from the map). Code inserted at the beginning of a
/// function belongs to the function's first entry; added functions have no source. Entries outside
/// of code are dropped. `movements` must cover all functions of the original.
llvm::Expected<std::string> moveMappings(const SourceMap &map, const Module &original,
                                         const Module &rewritten, const CodeMovements &movements);

/// The same for a module with permuted functions and no inserted code. Code that had its source
/// from the end of the previous function has none afterwards.
llvm::Expected<std::string> permuteMappings(const SourceMap &map, const Module &original,
                                            const Module &rewritten,
                                            const FunctionPermutation &permutation,
                                            const CodeMovements &movements);

} // namespace warpo::wasm

#endif
