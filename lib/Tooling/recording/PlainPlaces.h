//===- PlainPlaces.h - Source locations of uninstrumented modules ---------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_TOOLING_PLAINPLACES_H
#define WARPO_TOOLING_PLAINPLACES_H

#include "../common/TemporaryFolder.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <string>

namespace warpo {

/// Adds source locations of these modules to a record, from the debug information that they contain
/// or name; without any, the record stays unchanged. Unreadable debug information is reported, and
/// leaves the record unchanged too.
llvm::Error addPlainPlaces(llvm::StringRef record, llvm::ArrayRef<std::string> modules,
                           const TemporaryFolder &folder);

} // namespace warpo

#endif
