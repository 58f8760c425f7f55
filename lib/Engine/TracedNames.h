//===- TracedNames.h - The functions that an instrumented module traces ---===//

#ifndef WARPO_LIB_ENGINE_TRACEDNAMES_H
#define WARPO_LIB_ENGINE_TRACEDNAMES_H

#include "warpo/Engine/Engine.h"
#include "llvm/ADT/ArrayRef.h"

namespace warpo {

/// What the module's name section calls the functions whose code begins with a trace point: for
/// records of modules whose mapping is not at hand. Empty if the module has no names or cannot be
/// read; engines say what is wrong with it.
std::vector<FunctionName> tracedNames(llvm::ArrayRef<uint8_t> module);

/// Of the module itself; empty if it has none.
std::string nameOfModule(llvm::ArrayRef<uint8_t> module);

} // namespace warpo

#endif
