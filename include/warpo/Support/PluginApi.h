//===- PluginApi.h - The one function that a plugin exports ---------------===//
//
// A plugin is a shared object whose static registrations (Registry.h) do the work. It says who it
// is once:
//
//   WARPO_PLUGIN("my-formats", "1.0")
//
// The interfaces are C++: host and plugin must agree on the compiler family, on LLVM and on warpo's
// version. The text below names all three; the loader compares it before anything of the plugin is
// used.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_SUPPORT_PLUGINAPI_H
#define WARPO_SUPPORT_PLUGINAPI_H

#include "warpo/Support/Version.h"
#include "llvm/Config/llvm-config.h"
#include <version>

/// Grows when an interface that plugins use changes.
#define WARPO_PLUGIN_API_VERSION 1

#ifdef _LIBCPP_VERSION
#define WARPO_CXX_LIBRARY "libc++"
#else
#define WARPO_CXX_LIBRARY "libstdc++"
#endif

/// The C++ library (g++ and clang++ share the rest of the ABI), LLVM, warpo.
#define WARPO_PLUGIN_ABI                                                                           \
  WARPO_CXX_LIBRARY "/llvm-" LLVM_VERSION_STRING "/warpo-" WARPO_VERSION_STRING

extern "C" {
struct WarpoPluginInfo {
  unsigned apiVersion;
  const char *abi;
  const char *name;
  const char *version;
};
}

#define WARPO_PLUGIN(NAME, VERSION)                                                                \
  extern "C" __attribute__((visibility("default"))) WarpoPluginInfo warpoPluginInfo() {            \
    return {WARPO_PLUGIN_API_VERSION, WARPO_PLUGIN_ABI, NAME, VERSION};                            \
  }

#endif
