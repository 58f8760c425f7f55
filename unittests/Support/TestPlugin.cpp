//===- TestPlugin.cpp - Plugins that the loader refuses, and one it takes -===//
// SPDX-License-Identifier: Apache-2.0
//
// Compiled once for each FAULT; see CMakeLists.txt.
//
//===----------------------------------------------------------------------===//

#include "TestRegistry.h"
#include "warpo/Support/PluginApi.h"

#define FAULT_none 0
#define FAULT_noEntry 1
#define FAULT_version 2
#define FAULT_abi 3
#define FAULT_nothing 4
#define VALUE_OF(fault) FAULT_##fault
#define FAULT_VALUE(fault) VALUE_OF(fault)

#if FAULT_VALUE(FAULT) == FAULT_version
extern "C" WarpoPluginInfo warpoPluginInfo() { return {999, WARPO_PLUGIN_ABI, "test", "1.0"}; }
#elif FAULT_VALUE(FAULT) == FAULT_abi
extern "C" WarpoPluginInfo warpoPluginInfo() {
  return {WARPO_PLUGIN_API_VERSION, "another-compiler", "test", "1.0"};
}
#elif FAULT_VALUE(FAULT) != FAULT_noEntry
WARPO_PLUGIN("test", "1.0")
#endif

#if FAULT_VALUE(FAULT) == FAULT_none
static warpo::Registry<TestThing>::Add<TestThing> registration("thing", "of a plugin");
#endif
