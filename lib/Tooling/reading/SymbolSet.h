//===- SymbolSet.h - Which file of names is of which module ---------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_TOOLING_SYMBOLSET_H
#define WARPO_LIB_TOOLING_SYMBOLSET_H

#include "warpo/Record/RecordFormat.h"
#include "warpo/Wasm/SymbolFile.h"

namespace warpo {

/// As warpo-instrument numbers it, if its hash is known: records of samples have other ids.
uint64_t identifierOf(const RecordedModule &module);

/// The files that --symbols names. A file is of the module that stands in front of it; else of the
/// one whose hash or build id it has; else, where the record has one module alone or the file is
/// called like it, of that.
class SymbolSet {
public:
  /// Each a file, or `module=file` with the name or the id of a module.
  static llvm::Expected<SymbolSet> read(llvm::ArrayRef<std::string> given);

  bool empty() const { return entries_.empty(); }
  /// Says which modules the records have, as far as that is known before they are read. Fails for
  /// two files of one module; returns a sentence for each file that is of none.
  llvm::Expected<std::vector<std::string>> join(llvm::ArrayRef<RecordedModule> modules,
                                                llvm::StringRef record);
  struct Guess {
    std::string file;
    RecordedModule module;
  };
  /// The modules passed to join() that got a file which may belong to another one too.
  llvm::ArrayRef<Guess> guesses() const { return guesses_; }
  /// Null if no file is of this module.
  const wasm::SymbolFile *of(const RecordedModule &module) const;

private:
  struct Entry {
    /// Empty: the file has to be recognised.
    std::string module;
    wasm::SymbolFile file;
  };
  enum class Match : uint8_t { none, possible, certain };

  static Match match(const Entry &entry, const RecordedModule &module, bool isOnly);
  llvm::Expected<const Entry *> find(const RecordedModule &module) const;

  std::vector<Entry> entries_;
  std::vector<Guess> guesses_;
  bool isOneModule_ = true;
};

/// The record, with its modules declared with the names that the files have for their functions.
/// `symbols` has been joined with its modules.
std::unique_ptr<RecordReader> withNames(std::unique_ptr<RecordReader> record, SymbolSet symbols);

} // namespace warpo

#endif
