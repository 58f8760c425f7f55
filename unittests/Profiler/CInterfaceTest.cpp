// SPDX-License-Identifier: Apache-2.0
// The profiler as embedders in C call it, where it differs from the one in C++.
#include "TestModule.h"
#include "warpo/Profiler/warpo_profiler.h"

#include "gtest/gtest.h"

namespace {

TEST(CInterface, ASectionWhoseNameIsNowhereIsCalledSo) {
  std::vector<uint8_t> module = moduleImporting({"sample", "enterFrame", "leaveFrame"});
  warpo_profiler *profiler = warpo_profiler_open(module.data(), module.size(), "app");
  ASSERT_STREQ(warpo_profiler_error_text(profiler), "");
  warpo_profiler_set_every_fuel(profiler, 10);
  warpo_profiler_set_weight_unit(profiler, WARPO_WEIGHT_FUEL);
  ASSERT_EQ(warpo_profiler_begin(profiler), 0);
  warpo_profiler_sample(profiler, 0);
  warpo_profiler_begin_section(profiler, nullptr, 5);
  warpo_profiler_enter_frame(profiler, 1);
  warpo_profiler_sample(profiler, 20);
  warpo_profile *profile = warpo_profiler_end(profiler);

  char text[256] = {};
  FILE *file = tmpfile();
  ASSERT_EQ(warpo_profile_write(profile, "folded", file), 0) << warpo_profile_error_text(profile);
  rewind(file);
  EXPECT_GT(fread(text, 1, sizeof text - 1, file), 0u);
  fclose(file);
  EXPECT_STREQ(text, "(name out of bounds);unknown function #1 20\n");
  warpo_profile_free(profile);
  warpo_profiler_free(profiler);
}

} // namespace
