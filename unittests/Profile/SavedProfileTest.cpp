// SPDX-License-Identifier: Apache-2.0
#include "warpo/Profile/SavedProfile.h"
#include "ProfileText.h"
#include "warpo/Profile/ProfileMerger.h"
#include "llvm/Support/xxhash.h"
#include <gtest/gtest.h>
#include <random>

using namespace llvm;
using namespace warpo;
using namespace warpo::test;

namespace {

std::string save(const Profile &profile) {
  std::string bytes;
  raw_string_ostream os(bytes);
  writeSavedProfile(profile, os);
  return bytes;
}

Expected<Profile> read(StringRef bytes) {
  auto format = cantFail(warpo::Registry<ProfileFormat>::create("warpo-profile"));
  return format->read(arrayRefFromStringRef(bytes), "p");
}

std::string failure(StringRef bytes) {
  auto profile = read(bytes);
  return profile ? "" : toString(profile.takeError());
}

/// A whole file around a body.
std::string file(StringRef body) {
  std::string bytes = (StringRef("\0wprof\r\n\1", 9) + body).str();
  uint64_t checksum = xxh3_64bits(StringRef(bytes));
  for (int i = 0; i < 8; ++i)
    bytes += char(checksum >> (8 * i));
  return bytes;
}

/// A profile of random stacks; its functions and modules are numbered in the order of `random`.
Profile randomProfile(std::mt19937 &random) {
  ProfileInputs inputs;
  const StringRef names[] = {"a", "b", "c", "[lost]"};
  for (int i = 0; i < 20; ++i) {
    std::vector<StringRef> path;
    for (size_t depth = random() % 4 + 1; path.size() < depth;)
      path.push_back(names[random() % 4]);
    inputs.add(path, random() % 1000, random() % 3);
  }
  Profile &profile = inputs.profile();
  profile.modules = {{random() % 2, "m"}, {2, ""}, {3, ""}};
  for (ProfileFunction &function : profile.functions) {
    function.module = random() % 3;
    function.id = random() % 2 * 5;
    function.line = random() % 3;
    function.file = function.line ? "f.c" : "";
    function.bodyHash = random() % 3;
  }
  if (random() % 2)
    profile.weights.push_back({"fuel", "fuel", std::vector<uint64_t>(profile.tree.size(), 3)});
  return profile;
}

Profile merge(ArrayRef<Profile> profiles) {
  ProfileMerger merger;
  for (const Profile &profile : profiles)
    cantFail(merger.add(profile));
  return merger.take();
}

} // namespace

TEST(SavedProfile, IsReadAsItWasWritten) {
  ProfileInputs inputs;
  inputs.add({"main"}, UINT64_MAX, 1);
  inputs.add({"main", "b"}, 0, uint64_t(1) << 53);
  inputs.add({"main", "a", "b"}, 3);
  inputs.add({"[lost]"}, 300);
  Profile &profile = inputs.profile();
  profile.modules = {{5, ""}, {6, "app"}};
  profile.functions[1].module = 1;
  profile.functions[1].id = INT32_MAX;
  profile.functions[1].file = "b.c";
  profile.functions[1].line = 12;
  profile.functions[1].bodyHash = UINT64_MAX - 1;
  profile.functions[2].kind = FunctionKind::unknown;
  Profile back = cantFail(read(save(profile)));
  EXPECT_EQ(text(back), text(profile));
  EXPECT_EQ(back.unit(), "ticks");
  for (const ProfileFunction &function : back.functions) {
    if (function.name == "b") {
      EXPECT_EQ(back.modules[function.module].name, "app");
      EXPECT_EQ(back.modules[function.module].id, 6u);
      EXPECT_EQ(function.id, INT32_MAX);
      EXPECT_EQ(function.file, "b.c");
      EXPECT_EQ(function.line, 12u);
      EXPECT_EQ(function.bodyHash, UINT64_MAX - 1);
    }
    EXPECT_EQ(function.kind, function.name == "a"        ? FunctionKind::unknown
                             : function.name == "[lost]" ? FunctionKind::pseudo
                                                         : FunctionKind::function);
  }
  EXPECT_EQ(save(back), save(profile));
}

TEST(SavedProfile, WritesFunctionsOnceThatDifferInWhatItDoesNotKeep) {
  ProfileInputs inputs;
  inputs.add({"a"}, 1, 1);
  inputs.add({"b"}, 2, 1);
  Profile &profile = inputs.profile();
  for (ProfileFunction &function : profile.functions)
    function.name = "f";
  profile.functions.front().executedLine = 7;
  std::string once = save(profile);
  EXPECT_EQ(save(cantFail(read(once))), once);
}

TEST(SavedProfile, KeepsThePeriodOfSamples) {
  ProfileInputs inputs;
  inputs.add({"main"}, 5, 1);
  Profile &profile = inputs.profile();
  EXPECT_EQ(save(profile)[8], 1);
  profile.samplePeriod = SamplePeriod{"fuel", "fuel:2", UINT64_MAX};
  std::string bytes = save(profile);
  EXPECT_EQ(bytes[8], 2);
  Profile back = cantFail(read(bytes));
  EXPECT_EQ(back.samplePeriod, profile.samplePeriod);
  EXPECT_EQ(text(back), text(profile));
  EXPECT_EQ(save(back), bytes);
  // Of several profiles it is the one that all have.
  auto merged = [&](ArrayRef<const Profile *> profiles) {
    ProfileMerger merger;
    for (const Profile *one : profiles)
      cantFail(merger.add(*one));
    return merger.take().samplePeriod;
  };
  Profile other = profile, none = profile;
  other.samplePeriod->amount = 3;
  none.samplePeriod.reset();
  EXPECT_EQ(merged({&profile, &back}), profile.samplePeriod);
  EXPECT_EQ(merged({&profile, &other, &profile}), std::nullopt);
  EXPECT_EQ(merged({&none, &profile}), std::nullopt);
  EXPECT_EQ(merged({&profile, &none, &profile}), std::nullopt);
}

TEST(SavedProfile, HoldsNothingAndDeepStacks) {
  ProfileInputs none, deep;
  EXPECT_EQ(text(cantFail(read(save(none.profile())))), "");
  deep.add(std::vector<StringRef>(100000, "f"), 1);
  deep.add({"g"}, 1);
  EXPECT_EQ(save(cantFail(read(save(deep.profile())))), save(deep.profile()));
}

TEST(SavedProfile, RefusesWhatIsDamaged) {
  ProfileInputs inputs;
  inputs.add({"main", "a"}, 1);
  std::string bytes = save(inputs.profile());
  EXPECT_EQ(failure(bytes), "");
  EXPECT_EQ(failure("x"), "p: not a saved profile");
  EXPECT_EQ(failure(StringRef(bytes).take_front(12)), "p:0xc: the profile ends too early");
  std::string version = bytes;
  version[8] = 5;
  EXPECT_EQ(failure(version), "p:0x8: version 5 of saved profiles is not known (known: 1 to 4)");
  // No byte may change, and none be missing or too many.
  for (size_t i = 9; i < bytes.size(); ++i) {
    std::string damaged = bytes;
    damaged[i] ^= 0x40;
    EXPECT_TRUE(StringRef(failure(damaged)).contains("the checksum is wrong")) << i;
    EXPECT_NE(failure(StringRef(bytes).take_front(i)), "");
  }
  EXPECT_NE(failure(bytes + "x"), "");
}

TEST(SavedProfile, RefusesWhatTheGrammarDoesNotAllow) {
  // Two strings, `t` and `c`; a module; a function; a weight, of time.
  StringRef strings("\2\1\1tc", 5);
  StringRef module("\1\0\0\0\0\0\0\0\0\0", 10);
  StringRef function("\1\1\0\0\0\1\0\0\0\0\0\0\0\0\0", 15);
  StringRef weight("\1\0\0", 3);
  std::string start = (strings + module + function + weight).str();
  const std::pair<std::string, StringRef> cases[] = {
      {start + std::string("\1\0\0\5", 4), ""},
      {start + std::string("\0", 1), ""},
      {start + std::string("\0\0", 2), "1 bytes after the profile"},
      {start + std::string("\2\0\1\0\0\5\5", 7), "context 1 has been given before"},
      {start + std::string("\1\1\0\5", 4), "context 0 is called from above the host"},
      {start + std::string("\1\0\1\5", 4), "there is no function 1, of 1"},
      {start + std::string("\1\0\0", 3), "1 contexts do not fit the file"},
      {start + std::string("\xff\xff\xff\xff\xff\xff\xff\xff\xff\1", 10),
       "18446744073709551615 contexts do not fit the file"},
      {std::string("\xff\xff\xff\xff\xff\xff\xff\xff\xff\1", 10),
       "18446744073709551615 strings do not fit the file"},
      {std::string("\2\1\x7ftc", 5), "127 bytes"},
      {(strings + StringRef("\1\2\0\0\0\0\0\0\0\0", 10)).str(), "there is no string 2, of 2"},
      {(strings + module + StringRef("\1\1\1\0\0\1\0\0\0\0\0\0\0\0\0", 15)).str(),
       "there is no module 1, of 1"},
      {(strings + module + StringRef("\1\1\0\3\0\1\0\0\0\0\0\0\0\0\0", 15)).str(),
       "there is no kind of function 3, of 3"},
      {(strings + module + function + StringRef("\0\0", 2)).str(), "the profile has no weights"},
      {(strings + module + function + StringRef("\2\0\0\1\1\0", 6)).str(),
       "the weight 't' has been given before"},
      {(strings + module + function + StringRef("\x81\2", 2)).str() + std::string(514, '\0'),
       "257 weights, the most are 256"},
      // A string of a megabyte, and 300 functions that are called so.
      {std::string("\1\x80\x80\x40", 4) + std::string(1 << 20, 'x') + module.str() + "\xac\2" +
           std::string(300 * 14, '\0'),
       "the names take more than 268435456 bytes"},
      {"", "unexpected end"},
  };
  for (const auto &[body, message] : cases) {
    std::string found = failure(file(body));
    if (message.empty())
      EXPECT_EQ(found, "");
    else
      EXPECT_TRUE(StringRef(found).contains(message)) << found << "\n" << message.str();
  }
}

TEST(SavedProfile, AnyBytesAreReadOrRefused) {
  std::mt19937 random(1);
  std::string body = save(randomProfile(random)).substr(9);
  body.resize(body.size() - 8);
  for (int i = 0; i < 20000; ++i) {
    std::string damaged = body;
    for (size_t changes = random() % 3 + 1; changes-- > 0;)
      damaged[random() % damaged.size()] = char(random());
    consumeError(read(file(damaged)).takeError());
  }
}

TEST(ProfileMerger, OrderAndGroupsMakeNoDifference) {
  std::mt19937 random(7);
  for (int round = 0; round < 50; ++round) {
    Profile a = randomProfile(random), b = randomProfile(random), c = randomProfile(random);
    std::string all = save(merge({a, b, c}));
    EXPECT_TRUE(save(merge({c, a, b})) == all);
    EXPECT_TRUE(save(merge({merge({a, b}), c})) == all);
    EXPECT_TRUE(save(merge({a, merge({c, b})})) == all);
    EXPECT_TRUE(save(merge({cantFail(read(save(a))), cantFail(read(save(merge({b, c}))))})) == all);
  }
}

TEST(ProfileMerger, AddsUp) {
  ProfileInputs first, second;
  first.add({"main", "a"}, 1);
  first.add({"main"}, 2);
  second.add({"b"}, 4);
  second.add({"main", "a"}, 8);
  EXPECT_EQ(text(merge({first.profile(), second.profile()})), "b:4/1 main:2/1(a:9/2)");
  second.profile().weights[0].unit = "ns";
  ProfileMerger merger;
  cantFail(merger.add(first.profile()));
  EXPECT_EQ(toString(merger.add(second.profile())),
            "time is in ns here, and in ticks in what it is to be added to");
  EXPECT_EQ(text(inNanoseconds(first.profile(), TimeScale(3, 2))), "main:3/1(a:1/1)");
}
