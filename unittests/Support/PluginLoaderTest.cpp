//===- PluginLoaderTest.cpp - What the loader says of each plugin ---------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Support/PluginLoader.h"
#include "TestRegistry.h"
#include "warpo/Support/PluginApi.h"
#include <cstdlib>
#include <gtest/gtest.h>

using namespace llvm;

WARPO_INSTANTIATE_REGISTRY(TestThing)

namespace {

std::string plugin(StringRef fault) {
  return (TEST_PLUGIN_DIR "/libTestPlugin_" + fault + ".so").str();
}

std::string load(const std::string &file) { return toString(warpo::loadPlugins({file})); }

TEST(PluginLoader, saysWhatIsWrong) {
  EXPECT_EQ(StringRef(load(plugin("absent"))).take_front(24), "cannot load the plugin /");
  EXPECT_EQ(load(plugin("noEntry")),
            "the plugin " + plugin("noEntry") + " has no entry point 'warpoPluginInfo'");
  EXPECT_EQ(load(plugin("version")),
            "the plugin " + plugin("version") +
                " was built for version 999 of the plugin interface, this tool has version " +
                std::to_string(WARPO_PLUGIN_API_VERSION));
  EXPECT_EQ(load(plugin("abi")), "the plugin " + plugin("abi") +
                                     " was built for another-compiler, this tool is " +
                                     WARPO_PLUGIN_ABI);
  EXPECT_EQ(load(plugin("nothing")), "the plugin " + plugin("nothing") +
                                         " (test 1.0) registers nothing that this tool uses");
}

TEST(PluginLoader, takesPathsOfTheEnvironment) {
  setenv("WARPO_PLUGINS", "plugin.so", 1);
  EXPECT_EQ(toString(warpo::loadPlugins({})), "WARPO_PLUGINS: 'plugin.so' is not an absolute path");
  setenv("WARPO_PLUGINS", plugin("noEntry").c_str(), 1);
  EXPECT_EQ(toString(warpo::loadPlugins({})), "WARPO_PLUGINS: the plugin " + plugin("noEntry") +
                                                  " has no entry point 'warpoPluginInfo'");
  unsetenv("WARPO_PLUGINS");
}

TEST(PluginLoader, addsToTheRegistry) {
  EXPECT_EQ(warpo::Registry<TestThing>::size(), 0u);
  EXPECT_EQ(load(plugin("none")), "");
  EXPECT_EQ(warpo::Registry<TestThing>::size(), 1u);
  EXPECT_TRUE(bool(warpo::Registry<TestThing>::create("thing")));
  // Loaded again, it registers nothing more, and that is no fault.
  EXPECT_EQ(load(plugin("none")), "");
}

} // namespace
