//===- FormatHint.h - Which tool writes a format --------------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_TOOLING_FORMATHINT_H
#define WARPO_LIB_TOOLING_FORMATHINT_H

#include "warpo/Support/Registry.h"

namespace warpo {

/// Adds to the error for an unknown output format which tools write it, if any does.
llvm::Error nameToolsFor(llvm::StringRef format, llvm::Error error);

/// The output format of this name.
template <typename T> llvm::Expected<std::unique_ptr<T>> createFormat(llvm::StringRef name) {
  auto format = warpo::Registry<T>::create(name);
  if (!format)
    return nameToolsFor(name, format.takeError());
  return format;
}

} // namespace warpo

#endif
