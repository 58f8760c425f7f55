//===- SourcePlaces.h - Where the functions of a module come from ---------===//
// SPDX-License-Identifier: Apache-2.0
//
// A module's source places in a record: docs/source-places.md. Lines of instructions are ignored
// here.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_RECORD_SOURCEPLACES_H
#define WARPO_RECORD_SOURCEPLACES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <string>
#include <vector>

namespace warpo {

struct SourcePlaces {
  struct Function {
    int32_t id;
    /// In `texts`: the file that defines it, as the compiler wrote it. Text 0 is empty and means
    /// unknown, as does line 0.
    uint32_t file;
    uint32_t line;
    /// In `inlined`.
    uint32_t firstInlined = 0;
    uint32_t inlinedCount = 0;
  };

  /// By id; ids are unique.
  std::vector<Function> functions;
  /// In `texts`: names of functions inlined into a function, each once, the one with the most code
  /// first.
  std::vector<uint32_t> inlined;
  std::vector<std::string> texts{""};
  /// The original contents, for copying them; empty: the fields above are all.
  std::string contents;

  /// Null if nothing is known about the function.
  const Function *find(int32_t id) const {
    auto at = llvm::lower_bound(
        functions, id, [](const Function &function, int32_t id) { return function.id < id; });
    return at != functions.end() && at->id == id ? &*at : nullptr;
  }
  /// Memory use in bytes.
  uint64_t size() const;
  llvm::ArrayRef<uint32_t> inlinedInto(const Function &function) const {
    return llvm::ArrayRef(inlined).slice(function.firstInlined, function.inlinedCount);
  }
};

/// Parses the contents of a block `places`, except lines of instructions. Fails, as in
/// `places:0x12: file 7 of 3`, if they are invalid.
llvm::Expected<SourcePlaces> readPlaces(llvm::StringRef contents);

/// Writes `places` as the contents of a block, without code sizes; empty if they do not fit into
/// one.
std::string writePlaces(const SourcePlaces &places);

} // namespace warpo

#endif
