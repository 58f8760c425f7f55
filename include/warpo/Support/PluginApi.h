//===- PluginApi.h - The one function that a plugin exports ---------------===//
// SPDX-License-Identifier: Apache-2.0
//
// A plugin is a shared object whose static registrations (Registry.h) do the work. It identifies
// itself once:
//
//   WARPO_PLUGIN("my-formats", "1.0")
//
// The interfaces are C++: host and plugin must agree on the compiler, LLVM, warpo's version and
// every public header. The text below contains all of these; the loader compares it before it uses
// anything of the plugin.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_SUPPORT_PLUGINAPI_H
#define WARPO_SUPPORT_PLUGINAPI_H

#include "warpo/Support/PublicHeaders.h"
#include "warpo/Support/Version.h"
#include "llvm/Config/llvm-config.h"
#include <version>

/// Incremented when WarpoPluginInfo changes. The hash covers all other interfaces.
#define WARPO_PLUGIN_API_VERSION 1

#ifdef _LIBCPP_VERSION
#define WARPO_CXX_LIBRARY "libc++"
#else
#define WARPO_CXX_LIBRARY "libstdc++"
#endif

#define WARPO_TEXT_OF(number) WARPO_QUOTED(number)
#define WARPO_QUOTED(number) #number
#ifdef __clang__
#define WARPO_COMPILER "clang-" WARPO_TEXT_OF(__clang_major__)
#else
#define WARPO_COMPILER "gcc-" WARPO_TEXT_OF(__GNUC__)
#endif

#define WARPO_PLUGIN_ABI                                                                           \
  WARPO_COMPILER "/" WARPO_CXX_LIBRARY "/llvm-" LLVM_VERSION_STRING "/warpo-" WARPO_VERSION_STRING \
                 "/headers-" WARPO_PUBLIC_HEADERS

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
