//===- Demangle.h - Names as they stand in the source ---------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_SUPPORT_DEMANGLE_H
#define WARPO_SUPPORT_DEMANGLE_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace warpo {

/// The name of a function of C++ (Itanium) or of Rust (its old mangling and its new one) as its
/// source has it. Names of other forms stay.
std::string demangleName(llvm::StringRef name);

/// The same for people to read: C++ without return types, which only instances of templates have in
/// their names, and without ABI tags. Two names may become one.
std::string briefName(llvm::StringRef name);

} // namespace warpo

#endif
