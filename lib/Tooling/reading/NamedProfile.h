//===- NamedProfile.h - Names the functions of a profile ------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_TOOLING_NAMEDPROFILE_H
#define WARPO_LIB_TOOLING_NAMEDPROFILE_H

#include "warpo/Profile/Profile.h"

namespace warpo {

/// Gives functions named `func[<index>]` their names from the file of their module, one of the
/// `files` of --symbols. Reports on stderr unused files and functions without a name. Fails if a
/// file cannot be read, or if a module has two.
llvm::Error nameFunctions(Profile &profile, llvm::ArrayRef<std::string> files);

} // namespace warpo

#endif
