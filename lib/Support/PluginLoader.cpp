//===- PluginLoader.cpp ---------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Support/PluginLoader.h"
#include "warpo/Support/Errors.h"
#include "warpo/Support/PluginApi.h"
#include "warpo/Support/Registry.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Path.h"
#include <cstdlib>
#include <dlfcn.h>

using namespace llvm;

namespace warpo {

/// Plugins that were loaded and accepted.
static SmallPtrSet<void *, 4> &loadedPlugins() {
  static SmallPtrSet<void *, 4> handles;
  return handles;
}

static Error loadPlugin(const std::string &file) {
  // Without a slash, dlopen would search the library path, but a plugin is a file like every other
  // argument.
  std::string path = StringRef(file).contains('/') ? file : "./" + file;
  size_t before = countRegistrations();
  void *handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle)
    return makeError("cannot load the plugin " + file + ": " + dlerror());
  // Already loaded, if it is named both in the environment and on the command line.
  if (loadedPlugins().contains(handle))
    return Error::success();
  auto *info = reinterpret_cast<WarpoPluginInfo (*)()>(dlsym(handle, "warpoPluginInfo"));
  if (!info)
    return makeError("the plugin " + file + " has no entry point 'warpoPluginInfo'");
  WarpoPluginInfo plugin = info();
  if (plugin.apiVersion != WARPO_PLUGIN_API_VERSION)
    return makeError("the plugin " + file + " was built for version " + Twine(plugin.apiVersion) +
                     " of the plugin interface, this tool has version " +
                     Twine(WARPO_PLUGIN_API_VERSION));
  if (StringRef(plugin.abi) != WARPO_PLUGIN_ABI)
    return makeError("the plugin " + file + " was built for " + plugin.abi + ", this tool is " +
                     WARPO_PLUGIN_ABI);
  if (countRegistrations() == before)
    return makeError("the plugin " + file + " (" + plugin.name + " " + plugin.version +
                     ") registers nothing that this tool uses");
  loadedPlugins().insert(handle);
  return Error::success();
}

static Error loadPluginsOfEnvironment() {
  const char *list = secure_getenv("WARPO_PLUGINS");
  if (!list)
    return Error::success();
  SmallVector<StringRef, 4> files;
  StringRef(list).split(files, ':', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  for (StringRef file : files) {
    if (!sys::path::is_absolute(file))
      return makeError("WARPO_PLUGINS: '" + file + "' is not an absolute path");
    if (Error error = loadPlugin(file.str()))
      return makeError("WARPO_PLUGINS: " + toString(std::move(error)));
  }
  return Error::success();
}

Error loadPlugins(ArrayRef<std::string> files) {
  if (Error error = loadPluginsOfEnvironment())
    return error;
  for (const std::string &file : files)
    if (Error error = loadPlugin(file))
      return error;
  return Error::success();
}

} // namespace warpo
