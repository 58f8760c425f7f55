//===- PluginLoader.h - Loads plugins into the running tool ---------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_SUPPORT_PLUGINLOADER_H
#define WARPO_SUPPORT_PLUGINLOADER_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <string>

namespace warpo {

/// Loads the shared objects `files` in order, after those in the environment variable WARPO_PLUGINS
/// (absolute paths, separated by colons; ignored in a set-user-id program). Plugins stay loaded
/// until the process ends. There are different errors for a file that cannot be loaded, a missing
/// entry point, another API version or ABI, and a plugin that registers nothing.
llvm::Error loadPlugins(llvm::ArrayRef<std::string> files);

} // namespace warpo

#endif
