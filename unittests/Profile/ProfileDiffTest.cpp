// SPDX-License-Identifier: Apache-2.0
#include "warpo/Profile/ProfileDiff.h"
#include "ProfileText.h"
#include <gtest/gtest.h>

using namespace llvm;
using namespace warpo;
using namespace warpo::test;

namespace {

std::string text(const Change &change) {
  auto number = [](double value) {
    std::string text;
    raw_string_ostream(text) << format("%g", value);
    return text;
  };
  return number(change.before.mean) + ">" + number(change.after.mean) +
         (change.isReal() ? "!" : "");
}

/// Contexts in the order of their names: `name:self,inclusive(callees)`, `+` or `-` before the name
/// for one that is new or gone, `former=` for one that had another name.
std::string text(const ProfileDiff &diff, NodeIndex parent = ContextTree::root) {
  std::map<std::string, NodeIndex> callees;
  for (NodeIndex node = 1; node < diff.tree.size(); ++node)
    if (diff.tree[node].parent == parent)
      callees[diff.function(node).function.name] = node;
  std::string result;
  for (const auto &[name, node] : callees) {
    Presence presence = diff.contexts[node];
    const DiffFunction &function = diff.function(node);
    result.append(result.empty() ? "" : " ");
    result.append(presence == Presence::added ? "+" : presence == Presence::gone ? "-" : "");
    if (!function.formerName.empty())
      result.append(function.formerName).append("=");
    result.append(name).append(":").append(text(diff.weight().self[node]));
    result.append(",").append(text(diff.weight().inclusive[node]));
    if (std::string below = text(diff, node); !below.empty())
      result.append("(").append(below).append(")");
  }
  return result;
}

ProfileDiff diff(ProfileInputs &before, ProfileInputs &after) {
  return cantFail(diffProfiles({before.profile()}, {after.profile()}));
}

FunctionIndex functionOf(const ProfileDiff &diff, StringRef name) {
  for (FunctionIndex i = 0; i < diff.functions.size(); ++i)
    if (diff.functions[i].function.name == name)
      return i;
  return noFunction;
}

} // namespace

TEST(ProfileDiff, IsRightAtInnerNodes) {
  ProfileInputs before, after;
  before.add({"main"}, 10);
  before.add({"main", "a"}, 20);
  before.add({"main", "a", "x"}, 5);
  before.add({"main", "gone"}, 7);
  after.add({"main"}, 10);
  after.add({"main", "a"}, 15);
  after.add({"main", "a", "x"}, 10);
  after.add({"main", "a", "new"}, 3);
  EXPECT_EQ(text(diff(before, after)), "main:10>10,42>38!("
                                       "a:20>15!,25>28!(+new:0>3!,0>3! x:5>10!,5>10!) "
                                       "-gone:7>0!,7>0!)");
}

TEST(ProfileDiff, SplitsAChangeIntoCallsAndTheirCost) {
  ProfileInputs before, after;
  before.add({"main"}, 0, 1);
  before.add({"main", "f"}, 100, 10);
  after.add({"main"}, 0, 1);
  after.add({"main", "f"}, 180, 12);
  ProfileDiff result = diff(before, after);
  FunctionIndex f = functionOf(result, "f");
  const DiffWeight &time = result.weight();
  EXPECT_EQ(text(time.functionInclusive[f]), "100>180!");
  EXPECT_EQ(text(time.perCall[f]), "10>15!");
  EXPECT_EQ(result.differenceByCalls(f, result.shown), 20);
  EXPECT_EQ(result.largestIncrease().share, 0.8);
  // A function within itself counts once.
  before.add({"main", "f", "f"}, 50, 5);
  after.add({"main", "f", "f"}, 50, 5);
  EXPECT_EQ(text(diff(before, after).weight().functionInclusive[f]), "150>230!");
}

TEST(ProfileDiff, KeepsWhatIsInsideTheSpread) {
  const struct {
    std::vector<uint64_t> before, after;
    std::string change;
  } cases[] = {
      {{100}, {101}, "100>101!"},           {{100}, {100}, "100>100"},
      {{100, 110}, {105, 115}, "105>110"},  {{100, 110}, {110, 130}, "105>120"},
      {{100, 110}, {111, 113}, "105>112!"}, {{100, 110, 120}, {90, 98}, "110>94!"},
      {{7, 7, 7}, {7, 7}, "7>7"},
  };
  for (const auto &[before, after, change] : cases) {
    std::vector<Profile> sides[2];
    for (auto [values, side] : {std::pair(&before, &sides[0]), {&after, &sides[1]}})
      for (uint64_t value : *values) {
        ProfileInputs run;
        run.add({"main"}, value);
        side->push_back(run.profile());
      }
    ProfileDiff result = cantFail(diffProfiles(sides[0], sides[1]));
    EXPECT_EQ(text(result), "main:" + change + "," + change);
    EXPECT_EQ(result.largestIncrease().share > 0, change.back() == '!' && after[0] > before[0]);
  }
  // A run that lacks a context has 0 there.
  ProfileInputs with, without;
  with.add({"main"}, 5);
  without.function("main");
  ProfileDiff result =
      cantFail(diffProfiles({with.profile(), without.profile()}, {with.profile()}));
  EXPECT_EQ(text(result), "main:2.5>5,2.5>5");
}

TEST(ProfileDiff, FindsRenamedFunctionsByTheirBodies) {
  ProfileInputs before, after;
  before.add({"main", "old", "leaf"}, 1);
  before.add({"main", "twin1"}, 1);
  before.add({"main", "twin2"}, 1);
  after.add({"main", "new"}, 2);
  after.add({"main", "twin3"}, 1);
  auto setBody = [](ProfileInputs &inputs, StringRef name, uint64_t hash) {
    inputs.profile().functions[inputs.function(name)].bodyHash = hash;
  };
  setBody(before, "old", 1);
  setBody(after, "new", 1);
  for (StringRef twin : {"twin1", "twin2"})
    setBody(before, twin, 2);
  setBody(after, "twin3", 2);
  ProfileDiff result = diff(before, after);
  EXPECT_EQ(text(result), "main:0>0,3>3(old=new:0>2!,1>2!(-leaf:1>0!,1>0!) -twin1:1>0!,1>0! "
                          "-twin2:1>0!,1>0! +twin3:0>1!,0>1!)");
  EXPECT_EQ(result.functions[functionOf(result, "new")].match, FunctionMatch::body);
}

// What is called by its number alone is not the one of that number in another build, if its code is
// another.
TEST(ProfileDiff, DoesNotTakeNumbersForNames) {
  auto side = [](ArrayRef<std::pair<StringRef, uint64_t>> functions) {
    ProfileInputs inputs;
    for (auto [name, hash] : functions) {
      inputs.add({name}, hash);
      inputs.profile().functions[inputs.function(name)].bodyHash = hash;
    }
    return inputs;
  };
  ProfileInputs before = side({{"func[1]", 1}, {"func[2]", 2}, {"named", 3}});
  ProfileInputs after = side({{"func[1]", 4}, {"func[2]", 1}, {"func[3]", 2}, {"named", 3}});
  ProfileDiff result = diff(before, after);
  auto formerNameOf = [&](StringRef name) {
    return result.functions[functionOf(result, name)].formerName;
  };
  EXPECT_EQ(formerNameOf("func[2]"), "func[1]");
  EXPECT_EQ(formerNameOf("func[3]"), "func[2]");
  EXPECT_EQ(result.functions[functionOf(result, "named")].match, FunctionMatch::name);
  // Where nothing is known of the code, the number has to do.
  ProfileInputs one, other;
  one.add({"func[1]"}, 1);
  other.add({"func[1]"}, 2);
  EXPECT_EQ(text(diff(one, other)), "func[1]:1>2!,1>2!");
}

TEST(ProfileDiff, FindsNamelessFunctionsByTheirNeighbours) {
  ProfileInputs before, after;
  before.add({"main", "func[1]", "a"}, 1);
  before.add({"main", "func[1]", "b"}, 1);
  before.add({"main", "func[1]", "func[4]", "c"}, 1);
  before.add({"main", "func[1]", "func[4]", "d"}, 1);
  after.add({"main", "new", "a"}, 1);
  after.add({"main", "new", "b"}, 1);
  after.add({"main", "new", "deeper", "c"}, 1);
  after.add({"main", "new", "deeper", "d"}, 1);
  // Called where another one was called: that alone says nothing.
  before.add({"main", "left"}, 1);
  after.add({"main", "came"}, 1);
  ProfileDiff result = diff(before, after);
  EXPECT_EQ(text(result), "main:0>0,5>5(+came:0>1!,0>1! -left:1>0!,1>0! "
                          "func[1]=new:0>0,4>4(a:1>1,1>1 b:1>1,1>1 "
                          "func[4]=deeper:0>0,2>2(c:1>1,1>1 d:1>1,1>1)))");
  EXPECT_EQ(result.functions[functionOf(result, "deeper")].match, FunctionMatch::neighbours);
}

TEST(ProfileDiff, TwoLikelyNamesAreNone) {
  ProfileInputs before, after;
  for (StringRef callee : {"a", "b"}) {
    before.add({"main", "func[1]", callee}, 1);
    after.add({"main", "new1", callee}, 1);
    after.add({"main", "new2", callee}, 1);
  }
  ProfileDiff result = diff(before, after);
  EXPECT_EQ(result.functions[functionOf(result, "func[1]")].presence, Presence::gone);
  EXPECT_EQ(result.functions[functionOf(result, "new1")].presence, Presence::added);
}

TEST(ProfileDiff, TwoNamesAreTwoFunctions) {
  ProfileInputs before, after;
  for (StringRef callee : {"a", "b"}) {
    before.add({"start", "main", callee}, 1);
    after.add({"start", "programArguments", callee}, 1);
  }
  ProfileDiff result = diff(before, after);
  EXPECT_EQ(result.functions[functionOf(result, "main")].presence, Presence::gone);
  EXPECT_EQ(result.functions[functionOf(result, "programArguments")].presence, Presence::added);
}

TEST(ProfileDiff, FindsNumbersBetweenThoseThatMovedByAsMuch) {
  auto side = [](ArrayRef<std::pair<StringRef, uint64_t>> functions) {
    ProfileInputs inputs;
    for (auto [name, hash] : functions) {
      inputs.add({name}, 1);
      inputs.profile().functions[inputs.function(name)].bodyHash = hash;
    }
    return inputs;
  };
  // Two were inserted in front, and one more before the last; what stands around it is unclear.
  ProfileInputs before =
      side({{"func[5]", 1}, {"func[7]", 2}, {"func[9]", 3}, {"func[11]", 4}, {"func[13]", 5}});
  ProfileInputs after =
      side({{"func[7]", 1}, {"func[9]", 20}, {"func[11]", 3}, {"func[13]", 40}, {"func[16]", 5}});
  ProfileDiff result = diff(before, after);
  EXPECT_EQ(result.functions[functionOf(result, "func[9]")].formerName, "func[7]");
  EXPECT_EQ(result.functions[functionOf(result, "func[9]")].match, FunctionMatch::neighbours);
  EXPECT_EQ(result.functions[functionOf(result, "func[13]")].presence, Presence::added);
}

TEST(ProfileDiff, TellsFunctionsOfModulesApart) {
  ProfileInputs before, after;
  for (ProfileInputs *inputs : {&before, &after}) {
    inputs->add({"f"}, 1);
    inputs->add({"g"}, 1);
    inputs->profile().modules = {{1, "m"}, {2, "n"}};
  }
  after.profile().functions[0].module = 1;
  EXPECT_EQ(diff(before, after).functions.size(), 3u);
  // Without names, ids of two builds differ.
  before.profile().modules = {{1, ""}};
  after.profile().modules = {{2, ""}, {3, ""}};
  EXPECT_EQ(diff(before, after).functions.size(), 2u);
}

TEST(ProfileDiff, ComparesTheWeightsThatAllRunsHave) {
  ProfileInputs before, after;
  before.add({"f"}, 1);
  after.add({"f"}, 1);
  before.profile().weights[0].name = "fuel";
  ProfileDiff result = diff(before, after);
  ASSERT_EQ(result.weights.size(), 1u);
  EXPECT_EQ(result.weights[0].name, "calls");
  before.profile().weights[0] = {"time", "ns", {0, 1}};
  EXPECT_EQ(toString(diffProfiles({before.profile()}, {after.profile()}).takeError()),
            "'test' has time in ticks, 'test' in ns");
  before.profile().weights.erase(before.profile().weights.begin());
  after.profile().weights.erase(after.profile().weights.begin() + 1);
  EXPECT_EQ(toString(diffProfiles({before.profile()}, {after.profile()}).takeError()),
            "the profiles have no weight in common");
}

namespace {

/// A profile whose functions are called from the host, each once; `module` as an index of
/// `modules`.
struct ModuleFunction {
  uint32_t module;
  StringRef name;
  uint64_t bodyHash = 0;
};
Profile profileOf(ArrayRef<StringRef> modules, ArrayRef<ModuleFunction> functions) {
  ProfileInputs inputs;
  inputs.profile().modules.clear();
  for (StringRef name : modules)
    inputs.profile().modules.push_back({.name = name.str()});
  for (auto [module, name, bodyHash] : functions) {
    ProfileFunction &function = inputs.profile().functions[inputs.function(name)];
    function.module = module;
    function.bodyHash = bodyHash;
    inputs.add({name}, 10);
  }
  return inputs.profile();
}

std::string renamed(const Profile &before, const Profile &after) {
  ProfileDiff diff = cantFail(diffProfiles({before}, {after}));
  std::string result;
  for (const RenamedModule &module : diff.renamedModules)
    result += module.before + "=" + module.after + " ";
  for (const DiffFunction &function : diff.functions)
    if (function.presence != Presence::both)
      result += (function.presence == Presence::added ? "+" : "-") + function.function.name + " ";
  return result;
}

} // namespace

TEST(ProfileDiff, PairsTheOnlyModulesThatHaveOtherNames) {
  EXPECT_EQ(renamed(profileOf({"lib", "app-1"}, {{0, "f"}, {1, "g"}, {1, "gone"}}),
                    profileOf({"app-2", "lib"}, {{0, "g"}, {0, "new"}, {1, "f"}})),
            "app-1=app-2 +new -gone ");
}

TEST(ProfileDiff, PairsModulesByTheirFunctionsNamesOrBodies) {
  EXPECT_EQ(renamed(profileOf({"a1", "b1"}, {{0, "f"}, {0, "g"}, {1, "u"}, {1, "v"}}),
                    profileOf({"b2", "a2"}, {{0, "u"}, {0, "v"}, {1, "f"}, {1, "g"}})),
            "b1=b2 a1=a2 ");
  // `f` and `x` have other names in the new build, and the same code.
  EXPECT_EQ(renamed(profileOf({"a1", "b1"}, {{0, "f", 1}, {0, "g", 2}, {1, "u", 3}}),
                    profileOf({"b2", "a2"}, {{0, "w", 3}, {1, "x", 1}, {1, "y", 2}})),
            "b1=b2 a1=a2 ");
}

TEST(ProfileDiff, TakesAnyNumberForAHash) {
  EXPECT_EQ(renamed(profileOf({"a1", "b1"}, {{0, "f", UINT64_MAX}, {1, "u", UINT64_MAX - 1}}),
                    profileOf({"b2", "a2"}, {{0, "w", UINT64_MAX - 1}, {1, "x", UINT64_MAX}})),
            "b1=b2 a1=a2 ");
}

TEST(ProfileDiff, FindsBodiesAgainInTheirModuleAlone) {
  // Code that two modules share.
  EXPECT_EQ(renamed(profileOf({"a", "b"}, {{0, "func[1]", 1}, {1, "func[11]", 1}}),
                    profileOf({"a", "b"}, {{0, "func[2]", 1}, {1, "func[12]", 1}})),
            "");
  // What one module lost is not what another one got.
  EXPECT_EQ(
      renamed(profileOf({"a", "b"}, {{0, "func[5]", 1}, {1, "func[1]", 2}}),
              profileOf({"a", "b"}, {{0, "func[6]", 7}, {1, "func[1]", 2}, {1, "func[9]", 1}})),
      "+func[6] +func[9] -func[5] ");
}

TEST(ProfileDiff, TakesNumbersForNoNamesOfModules) {
  EXPECT_EQ(renamed(profileOf({"a1", "b1"}, {{0, "func[1]", 1}, {1, "func[2]", 2}}),
                    profileOf({"b2", "a2"}, {{0, "func[1]", 2}, {1, "func[2]", 1}})),
            "b1=b2 a1=a2 ");
}

TEST(ProfileDiff, LeavesModulesApartThatShareLittle) {
  EXPECT_EQ(renamed(profileOf({"a1", "b1"}, {{0, "f"}, {0, "g"}, {1, "u"}, {1, "v"}}),
                    profileOf({"a2", "b2"}, {{0, "f"}, {0, "k"}, {0, "l"}, {1, "m"}})),
            "+f +k +l +m -f -g -u -v ");
}
