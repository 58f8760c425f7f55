//===- FormatHint.h - Suggests the tool for a format ----------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_TOOLING_FORMATHINT_H
#define WARPO_LIB_TOOLING_FORMATHINT_H

#include "warpo/Support/Registry.h"

namespace warpo {

/// Adds the tools that write a format, if any, to the error for an unknown output format.
llvm::Error nameToolsFor(llvm::StringRef format, llvm::Error error);

/// Creates the output format with this name.
template <typename T> llvm::Expected<std::unique_ptr<T>> createFormat(llvm::StringRef name) {
  auto format = warpo::Registry<T>::create(name);
  if (!format)
    return nameToolsFor(name, format.takeError());
  return format;
}

} // namespace warpo

#endif
