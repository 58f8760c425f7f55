// SPDX-License-Identifier: Apache-2.0
#include "svg/FlameLayout.h"
#include "ProfileText.h"
#include "llvm/ADT/StringExtras.h"
#include <gtest/gtest.h>

using namespace llvm;
using namespace warpo;
using namespace warpo::test;

// One frame a word: its name (`+n` for a remainder of n contexts), `@` its level, its span.
static std::string text(const Profile &profile, const FlameLayout &layout) {
  std::string result;
  for (const FlameFrame &frame : layout.frames) {
    std::string name = "all";
    if (frame.folded > 0)
      name = ("+" + Twine(frame.folded)).str();
    else if (frame.node != ContextTree::root)
      name = profile.name(frame.node).str();
    result += (name + "@" + Twine(frame.level) + " " + Twine(frame.start) + ".." +
               Twine(frame.start + frame.weight) + "\n")
                  .str();
  }
  return result;
}

TEST(FlameLayout, PutsTheHeaviestFirst) {
  ProfileInputs inputs;
  inputs.add({"light"}, 10);
  inputs.add({"heavy"}, 20);
  inputs.add({"heavy", "b"}, 30);
  inputs.add({"heavy", "a"}, 30);
  Profile profile = inputs.profile();
  EXPECT_EQ(text(profile, layOutFlames(profile)), "all@0 0..90\n"
                                                  "heavy@1 0..80\n"
                                                  "a@2 0..30\n"
                                                  "b@2 30..60\n"
                                                  "light@1 80..90\n");
}

TEST(FlameLayout, FoldsWhatIsTooNarrowAndCountsIt) {
  ProfileInputs inputs;
  inputs.add({"main"}, 50);
  inputs.add({"main", "wide"}, 40);
  for (StringRef name : {"c", "d", "e", "f"})
    inputs.add({"main", name}, 2);
  inputs.add({"main", "f", "g"}, 1);
  inputs.add({"main", "wide", "h"}, 1);
  Profile profile = inputs.profile();
  FlameLayout layout = layOutFlames(profile, {.minShare = 0.05});
  // The remainder below `wide` would be too narrow itself.
  EXPECT_EQ(text(profile, layout), "all@0 0..100\n"
                                   "main@1 0..100\n"
                                   "wide@2 0..41\n"
                                   "+5@2 41..50\n");
  EXPECT_EQ(layout.foldedContexts, 6u);
  EXPECT_EQ(layout.foldedWeight, 10u);
  EXPECT_EQ(layout.levels, 3u);
}

TEST(FlameLayout, KeepsTheHeaviestOfTooMany) {
  ProfileInputs inputs;
  for (StringRef name : {"a", "b", "c"})
    inputs.add({name}, 10);
  inputs.add({"b", "x"}, 5);
  Profile profile = inputs.profile();
  FlameLayout layout = layOutFlames(profile, {.minShare = 0, .maxFrames = 2});
  EXPECT_EQ(text(profile, layout), "all@0 0..35\n"
                                   "b@1 0..15\n"
                                   "+1@2 0..5\n"
                                   "a@1 15..25\n"
                                   "+1@1 25..35\n");
}

TEST(FlameLayout, ShowsNothingOfNothing) {
  ProfileInputs inputs;
  Profile profile = inputs.profile();
  FlameLayout layout = layOutFlames(profile);
  EXPECT_EQ(text(profile, layout), "all@0 0..0\n");
  EXPECT_EQ(layout.levels, 1u);
}
