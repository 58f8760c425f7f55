//===- SourcePlaces.h - Where the functions of a module come from ---------===//
// SPDX-License-Identifier: Apache-2.0
//
// What a record says of the source of a module: docs/source-places.md. Lines of instructions are
// not looked at here.
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
    /// In `texts`: where it is defined, as the compiler wrote it; text 0 is empty and stands for
    /// that it is unknown, as line 0 does.
    uint32_t file;
    uint32_t line;
    /// In `inlined`.
    uint32_t firstInlined = 0;
    uint32_t inlinedCount = 0;
  };

  /// By id, each once.
  std::vector<Function> functions;
  /// In `texts`: names of what was inlined into a function, each once, that with the most code
  /// first.
  std::vector<uint32_t> inlined;
  std::vector<std::string> texts{""};
  /// All of it as the record has it, for those that copy it; empty: what stands above is all.
  std::string contents;

  /// Null if nothing is known of the function.
  const Function *find(int32_t id) const {
    auto at = llvm::lower_bound(
        functions, id, [](const Function &function, int32_t id) { return function.id < id; });
    return at != functions.end() && at->id == id ? &*at : nullptr;
  }
  /// Bytes of memory.
  uint64_t size() const;
  llvm::ArrayRef<uint32_t> inlinedInto(const Function &function) const {
    return llvm::ArrayRef(inlined).slice(function.firstInlined, function.inlinedCount);
  }
};

/// Reads the contents of a block `places`. An error, as in `places:0x12: file 7 of 3`, if any of
/// them make no sense; of lines of instructions nothing is read.
llvm::Expected<SourcePlaces> readPlaces(llvm::StringRef contents);

/// The contents of a block that says what `places` say, without sizes of code; empty if they are
/// too many for one.
std::string writePlaces(const SourcePlaces &places);

} // namespace warpo

#endif
