//===- DemangledSize.h - How long a name gets before it is demangled ------===//
// SPDX-License-Identifier: Apache-2.0
//
// A mangled name may refer to its own parts, so that each doubles the next one: 250 bytes become a
// gigabyte, and LLVM's demanglers have no limit but the memory's. The size is estimated here first,
// visiting each part once.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_LIB_SUPPORT_DEMANGLEDSIZE_H
#define WARPO_LIB_SUPPORT_DEMANGLEDSIZE_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>

namespace warpo {

/// An upper bound of the demangled size of a C++ symbol (`_Z…`); UINT64_MAX if it is none.
uint64_t demangledSizeOfItanium(llvm::StringRef name);
/// The same for Rust's mangling `_R…`.
uint64_t demangledSizeOfRust(llvm::StringRef name);

} // namespace warpo

#endif
