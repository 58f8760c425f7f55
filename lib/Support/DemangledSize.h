//===- DemangledSize.h - Estimates the size of a demangled name -----------===//
// SPDX-License-Identifier: Apache-2.0
//
// A mangled name may refer to its own parts, each doubling the size: 250 bytes can become a
// gigabyte, and LLVM's demanglers have no limit but memory. So the size is estimated first,
// visiting each part once.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_LIB_SUPPORT_DEMANGLEDSIZE_H
#define WARPO_LIB_SUPPORT_DEMANGLEDSIZE_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>

namespace warpo {

/// An upper bound for the demangled size of a C++ symbol (`_Z…`); UINT64_MAX for any other name.
uint64_t demangledSizeOfItanium(llvm::StringRef name);
/// The same for Rust's mangling `_R…`.
uint64_t demangledSizeOfRust(llvm::StringRef name);

} // namespace warpo

#endif
