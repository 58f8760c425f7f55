//===- Demangle.h - Demangles names ---------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_SUPPORT_DEMANGLE_H
#define WARPO_SUPPORT_DEMANGLE_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace warpo {

/// Demangles a C++ (Itanium) or Rust (legacy or v0) name. Returns other names unchanged.
std::string demangleName(llvm::StringRef name);

/// The same in a shorter form: C++ names without return types, which only template instances have,
/// and without ABI tags. Different names may become equal.
std::string briefName(llvm::StringRef name);

} // namespace warpo

#endif
