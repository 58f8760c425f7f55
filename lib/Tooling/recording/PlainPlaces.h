//===- PlainPlaces.h - Places of modules that ran as they are ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_TOOLING_PLAINPLACES_H
#define WARPO_TOOLING_PLAINPLACES_H

#include "../common/TemporaryFolder.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <string>

namespace warpo {

/// Adds to a record which lines the functions of these modules come from, by the debug information
/// that the modules have or name; without any, the record stays as it is. What cannot be read of it
/// is reported, and the record stays too.
llvm::Error addPlainPlaces(llvm::StringRef record, llvm::ArrayRef<std::string> modules,
                           const TemporaryFolder &folder);

} // namespace warpo

#endif
