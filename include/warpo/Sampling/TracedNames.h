//===- TracedNames.h - The functions that an instrumented module traces ---===//

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

/// What the module's name section calls the functions whose code begins with a trace point: for
/// records of modules whose mapping is not at hand. Empty if the module has no names or cannot be
/// read; engines say what is wrong with it.
std::vector<FunctionName> tracedNames(llvm::ArrayRef<uint8_t> module);

/// Of the module itself; empty if it has none.
std::string nameOfModule(llvm::ArrayRef<uint8_t> module);

} // namespace warpo

#endif
