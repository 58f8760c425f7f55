//===- SymbolSet.h - Assigns files of names to modules --------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_TOOLING_SYMBOLSET_H
#define WARPO_LIB_TOOLING_SYMBOLSET_H

#include "warpo/Record/RecordFormat.h"
#include "warpo/Wasm/SymbolFile.h"

namespace warpo {

/// The module id that warpo-instrument would use, if the hash is known: records of samples have
/// other ids.
uint64_t identifierOf(const RecordedModule &module);

/// The files given by --symbols. A file belongs to the module named in front of it; otherwise to
/// the module with its hash or build id; otherwise to the record's only module, or the one with its
/// name.
class SymbolSet {
public:
  /// Each of `given` is a file, or `module=file` with the name or the id of a module.
  static llvm::Expected<SymbolSet> read(llvm::ArrayRef<std::string> given);

  bool empty() const { return entries_.empty(); }
  /// Sets the modules of the records, as far as known before reading. Fails if a module has two
  /// files; returns a sentence for each file without a module.
  llvm::Expected<std::vector<std::string>> join(llvm::ArrayRef<RecordedModule> modules,
                                                llvm::StringRef record);
  struct Guess {
    std::string file;
    RecordedModule module;
  };
  /// The modules passed to join() that got a file which may belong to another module.
  llvm::ArrayRef<Guess> guesses() const { return guesses_; }
  /// The module's file, or null.
  const wasm::SymbolFile *of(const RecordedModule &module) const;

private:
  struct Entry {
    /// If empty, the file has to be recognised.
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

/// A reader that declares the modules of `record` with the functions' names from the files.
/// `symbols` must have been joined with its modules.
std::unique_ptr<RecordReader> withNames(std::unique_ptr<RecordReader> record, SymbolSet symbols);

} // namespace warpo

#endif
