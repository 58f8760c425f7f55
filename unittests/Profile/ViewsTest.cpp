// SPDX-License-Identifier: Apache-2.0
// Each view of random profiles is compared with what its definition makes of one stack at a time.

#include "warpo/Profile/Views.h"
#include "ProfileText.h"
#include <gtest/gtest.h>
#include <random>

using namespace llvm;
using namespace warpo;
using namespace warpo::test;

namespace {

using Path = std::vector<std::string>;
/// The weights of each stack that has any.
using Stacks = std::map<Path, std::vector<uint64_t>>;

void add(Stacks &stacks, const Path &path, const std::vector<uint64_t> &weights) {
  if (all_of(weights, [](uint64_t weight) { return weight == 0; }))
    return;
  std::vector<uint64_t> &sums = stacks[path];
  sums.resize(weights.size());
  for (size_t i = 0; i < weights.size(); ++i)
    sums[i] += weights[i];
}

Path pathOf(const Profile &profile, NodeIndex node) {
  Path path;
  for (; node != ContextTree::root; node = profile.tree[node].parent)
    path.insert(path.begin(), profile.name(node).str());
  return path;
}

Stacks stacksOf(const Profile &profile) {
  Stacks stacks;
  for (NodeIndex node = 1; node < profile.tree.size(); ++node)
    add(stacks, pathOf(profile, node), {profile.self(node, 0), profile.self(node, 1)});
  return stacks;
}

Stacks stacksOf(const Profile &profile, function_ref<std::optional<Path>(const Path &)> change) {
  Stacks stacks;
  for (const auto &[path, weights] : stacksOf(profile))
    if (std::optional<Path> changed = change(path))
      add(stacks, *changed, weights);
  return stacks;
}

/// Stacks of few functions, so that they recurse, and of two modules.
class RandomProfile : public testing::TestWithParam<unsigned> {
protected:
  RandomProfile() {
    std::mt19937 random(GetParam());
    const std::vector<StringRef> names = {"a", "b", "c", "d", "e", "[lost]"};
    for (int i = 0; i < 60; ++i) {
      std::vector<StringRef> path;
      for (size_t depth = random() % 7 + 1; path.size() < depth;)
        path.push_back(names[random() % names.size()]);
      inputs_.add(path, random() % 10, random() % 3);
    }
    Profile &profile = inputs_.profile();
    profile.modules = {{1, "m"}, {2, ""}};
    for (size_t i = 0; i < profile.functions.size(); ++i)
      profile.functions[i].module = i % 2;
  }

  const Profile &profile() { return inputs_.profile(); }
  static NameGlobs globs(std::vector<std::string> patterns) {
    return cantFail(NameGlobs::create(patterns, "test"));
  }
  std::string moduleOf(const std::string &function) {
    return moduleLabel(profile().modules[profile().functions[inputs_.function(function)].module]);
  }

  ProfileInputs inputs_;
};

bool has(const Path &path, StringRef name) { return is_contained(path, name); }

} // namespace

TEST_P(RandomProfile, Focus) {
  EXPECT_EQ(stacksOf(focus(profile(), globs({"b", "d"}))),
            stacksOf(profile(), [](const Path &path) -> std::optional<Path> {
              return has(path, "b") || has(path, "d") ? std::optional(path) : std::nullopt;
            }));
}

TEST_P(RandomProfile, FocusKeepsNoContextForNothing) {
  Profile focused = focus(profile(), globs({"b"}));
  ContextTree::Children children = focused.tree.children();
  for (NodeIndex node = 1; node < focused.tree.size(); ++node)
    EXPECT_TRUE(!children.of(node).empty() || has(pathOf(focused, node), "b"));
}

TEST_P(RandomProfile, Ignore) {
  EXPECT_EQ(stacksOf(ignore(profile(), globs({"[bd]"}))),
            stacksOf(profile(), [](const Path &path) -> std::optional<Path> {
              return has(path, "b") || has(path, "d") ? std::nullopt : std::optional(path);
            }));
}

TEST_P(RandomProfile, RootAt) {
  EXPECT_EQ(stacksOf(rootAt(profile(), globs({"c"}))),
            stacksOf(profile(), [](const Path &path) -> std::optional<Path> {
              auto found = find(path, "c");
              return found == path.end() ? std::nullopt : std::optional(Path(found, path.end()));
            }));
}

TEST_P(RandomProfile, Hide) {
  EXPECT_EQ(stacksOf(hide(profile(), globs({"a", "e"}))),
            stacksOf(profile(), [](Path path) -> std::optional<Path> {
              erase_if(path, [](const std::string &name) { return name == "a" || name == "e"; });
              return path.empty() ? Path{"(hidden)"} : path;
            }));
}

TEST_P(RandomProfile, OnlyModules) {
  for (std::string module : {"m", "Module 2"})
    EXPECT_EQ(stacksOf(onlyModules(profile(), globs({module}))),
              stacksOf(profile(), [&](const Path &path) -> std::optional<Path> {
                Path result;
                for (const std::string &name : path)
                  if (name == "[lost]" ? !result.empty() : moduleOf(name) == module)
                    result.push_back(name);
                return result.empty() ? std::nullopt : std::optional(result);
              }));
}

TEST_P(RandomProfile, FoldRecursion) {
  EXPECT_EQ(stacksOf(foldRecursion(profile())),
            stacksOf(profile(), [](const Path &path) -> std::optional<Path> {
              Path result;
              for (const std::string &name : path) {
                result.erase(find(result, name), result.end());
                result.push_back(name);
              }
              return result;
            }));
}

TEST_P(RandomProfile, GroupByModule) {
  EXPECT_EQ(stacksOf(groupByModule(profile())),
            stacksOf(profile(), [&](Path path) -> std::optional<Path> {
              // What is no function may stand around functions, as phases of the host do.
              auto first = find_if(path, [](const std::string &name) { return name != "[lost]"; });
              if (first != path.end())
                path.insert(first, moduleOf(*first));
              return path;
            }));
}

TEST_P(RandomProfile, Invert) {
  uint64_t cut = 1;
  EXPECT_EQ(stacksOf(invert(profile(), 1000000, &cut)),
            stacksOf(profile(), [](const Path &path) -> std::optional<Path> {
              return Path(path.rbegin(), path.rend());
            }));
  EXPECT_EQ(cut, 0u);
}

TEST_P(RandomProfile, InvertWithinLimitsKeepsTheInnermostCallers) {
  uint64_t cut = 0;
  Profile inverted = invert(profile(), 20, &cut);
  EXPECT_GT(cut, 0u);
  for (WeightIndex weight : {0, 1})
    EXPECT_EQ(inverted.total(weight), profile().total(weight));
  size_t levels = 0;
  for (const auto &[path, weights] : stacksOf(inverted))
    levels = std::max(levels, path.size());
  EXPECT_EQ(stacksOf(inverted), stacksOf(profile(), [&](const Path &path) -> std::optional<Path> {
              return Path(path.rbegin(), path.rbegin() + std::min(levels, path.size()));
            }));
}

TEST_P(RandomProfile, LimitDepth) {
  for (unsigned levels : {1, 3, 6, 7})
    EXPECT_EQ(stacksOf(limitDepth(profile(), levels)),
              stacksOf(profile(), [&](Path path) -> std::optional<Path> {
                path.resize(std::min<size_t>(path.size(), levels));
                return path;
              }));
}

TEST_P(RandomProfile, DropDepth) {
  for (unsigned levels : {1, 3, 6, 7})
    EXPECT_EQ(stacksOf(dropDepth(profile(), levels)),
              stacksOf(profile(), [&](Path path) -> std::optional<Path> {
                return path.size() <= levels ? std::optional(path) : std::nullopt;
              }));
}

TEST_P(RandomProfile, FoldSmall) {
  std::map<Path, uint64_t> inclusive;
  uint64_t total = 0;
  for (const auto &[path, weights] : stacksOf(profile())) {
    total += weights[0];
    for (size_t depth = 1; depth <= path.size(); ++depth)
      inclusive[Path(path.begin(), path.begin() + depth)] += weights[0];
  }
  EXPECT_EQ(stacksOf(foldSmall(profile(), 0.05)),
            stacksOf(profile(), [&](const Path &path) -> std::optional<Path> {
              for (size_t depth = 1; depth <= path.size(); ++depth) {
                Path start(path.begin(), path.begin() + depth);
                if (inclusive[start] < double(total) * 0.05) {
                  start.back() = "(small)";
                  return start;
                }
              }
              return path;
            }));
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomProfile, testing::Range(0u, 20u));

TEST(Views, TakeDeepAndEmptyProfiles) {
  ProfileInputs deep, none;
  std::vector<StringRef> path;
  for (int i = 0; i < 50000; ++i)
    path.push_back(i % 3 ? "f" : "g");
  deep.add(path, 7);
  NameGlobs f = cantFail(NameGlobs::create({std::string("f")}, "test"));
  for (ProfileInputs *inputs : {&deep, &none}) {
    const Profile &profile = inputs->profile();
    for (const Profile &view :
         {focus(profile, f), rootAt(profile, f), hide(profile, f), foldRecursion(profile),
          groupByModule(profile), invert(profile, 100000), limitDepth(profile, 10000),
          foldSmall(profile, 0.001), ignore(profile, cantFail(NameGlobs::create({}, "test")))})
      EXPECT_EQ(view.total(), profile.total());
  }
}
