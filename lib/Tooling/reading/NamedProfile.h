//===- NamedProfile.h - Names for the functions of a profile --------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_TOOLING_NAMEDPROFILE_H
#define WARPO_LIB_TOOLING_NAMEDPROFILE_H

#include "warpo/Profile/Profile.h"

namespace warpo {

/// Gives functions called `func[<index>]` the names that the file of their module has for them, out
/// of the `files` of --symbols; says on stderr which file and how many functions were of no use.
/// Fails for a file that cannot be read, and for two of one module.
llvm::Error nameFunctions(Profile &profile, llvm::ArrayRef<std::string> files);

} // namespace warpo

#endif
