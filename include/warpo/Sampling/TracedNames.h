//===- TracedNames.h - The functions that an instrumented module traces ---===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_SAMPLING_TRACEDNAMES_H
#define WARPO_SAMPLING_TRACEDNAMES_H

#include "llvm/ADT/ArrayRef.h"
#include <cstdint>
#include <string>
#include <vector>

namespace warpo {

/// A function of a module, as its trace points and its mapping call it.
struct FunctionName {
  int32_t id;
  std::string name;
};

/// The names that the mapping has for the functions whose code begins with a trace point or with
/// enterFrame, from the instrumented module itself: for records of modules whose mapping is not at
/// hand. After -O the numbers in names of functions without one may be others. Empty if the module
/// cannot be read; engines say what is wrong with it.
std::vector<FunctionName> tracedNames(llvm::ArrayRef<uint8_t> module);

/// What an instrumented module traces of the functions that it shares with other modules.
struct TracedLinks {
  struct Import {
    std::string module;
    std::string name;
    int32_t id;
  };
  std::vector<Import> imports;
  /// By their names.
  std::vector<std::string> exports;
};
/// Empty for a module that cannot be read, as tracedNames().
TracedLinks tracedLinks(llvm::ArrayRef<uint8_t> module);

/// Whether the ids that an instrumented module reports may have marks (CallKind.h).
bool hasMarkedIds(llvm::ArrayRef<uint8_t> module);

/// The module's own name; empty if it has none.
std::string nameOfModule(llvm::ArrayRef<uint8_t> module);

} // namespace warpo

#endif
