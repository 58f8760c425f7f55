//===- PluginLoader.h - Loads plugins into the running tool ---------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_SUPPORT_PLUGINLOADER_H
#define WARPO_SUPPORT_PLUGINLOADER_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <string>

namespace warpo {

/// Loads the shared objects `files` in order, after those that the environment variable
/// WARPO_PLUGINS names (separated by colons, absolute paths only; ignored in a set-user-id
/// program). Plugins stay loaded until the process ends. The error tells apart: cannot be loaded,
/// no entry point, another API version or ABI, nothing registered.
llvm::Error loadPlugins(llvm::ArrayRef<std::string> files);

} // namespace warpo

#endif
