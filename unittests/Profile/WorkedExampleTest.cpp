//===- WorkedExampleTest.cpp - From entries to self and inclusive weights ===//
// SPDX-License-Identifier: Apache-2.0
//
// What a profiler is about, on examples that are small enough to be done by hand: by time, by fuel
// beside the time, and by fuel as the only clock.
//
//===----------------------------------------------------------------------===//

#include "warpo/Profile/Profile.h"
#include "warpo/Record/FunctionTable.h"
#include "warpo/Slice/CallTree.h"
#include "warpo/Slice/Slicing.h"
#include "llvm/ADT/StringExtras.h"
#include <gtest/gtest.h>
#include <map>
#include <sstream>

using namespace llvm;
using namespace warpo;

namespace {

struct Example {
  const char *name;
  /// `f+10`: at tick 10 a call of f begins; `f-20`: at tick 20 it ends.
  const char *entries;
  /// Of each function its own ticks, and those with what it calls; recursive calls count once.
  const char *expected;
};

constexpr Example examples[] = {
    {"threeDeep", "f+0 g+10 h+30 h-60 g-100 f-160", "f 70/160, g 60/90, h 30/30"},
    {"recursion", "f+0 f+10 g+30 g-60 f-100 f-160", "f 130/160, g 30/30"},
    {"recursionThroughAnother", "f+0 g+10 f+30 f-60 g-100 f-160", "f 100/160, g 60/90"},
    {"closedByALaterEnd", "f+0 g+10 h+30 f-160", "f 10/160, g 20/150, h 130/130"},
    {"closedByALaterEndInTheMiddle", "f+0 g+10 h+30 g-100 f-160", "f 70/160, g 20/90, h 70/70"},
    {"openAtTheEnd", "f+0 g+10 h+30 h-60", "f 10/60, g 20/50, h 30/30"},
    {"twoRoots", "f+0 g+10 g-40 f-100 g+130 h+140 h-145 g-160", "f 70/100, g 55/60, h 5/5"},
    {"theSameRootTwice", "f+0 f-70 f+100 g+110 g-130 f-160", "f 110/130, g 20/20"},
};

enum class Clocks { time, timeAndFuel, fuel };

/// The example as a record of text. Beside fuel, time is as different as can be.
std::string recordOf(const Example &example, Clocks clocks) {
  std::string text = "warpo-record: 1\n";
  if (clocks == Clocks::timeAndFuel)
    text += "clocks: time, fuel\n";
  if (clocks == Clocks::fuel)
    text += "clocks: fuel\n";
  text += "entries:\n";
  std::istringstream entries(example.entries);
  uint64_t otherTime = 0;
  for (std::string entry; entries >> entry;) {
    std::string id = (entry[1] == '-' ? "-" : "") + std::to_string(entry[0] - 'a' + 1);
    std::string tick = entry.substr(2);
    otherTime += 7;
    text += clocks == Clocks::timeAndFuel
                ? "- [" + std::to_string(otherTime) + ", " + id + ", " + tick + "]\n"
                : "- [" + tick + ", " + id + "]\n";
  }
  return text;
}

Profile profileOf(const std::string &text) {
  auto reader =
      cantFail(openRecord(InputStream::fromBytes(arrayRefFromStringRef<uint8_t>(text), "example")));
  FunctionTable functions;
  CallTreeBuilder builder(functions, {});
  auto slicer = cantFail(warpo::Registry<Slicer>::create("calls"));
  DamageReport damage;
  cantFail(sliceRecord(*reader, functions, *slicer, builder, damage,
                       [](const RecordBatch &) { return Error::success(); }));
  return makeProfile(builder.tree(), functions, reader->header().measures, "example");
}

/// `f 70/160, g 60/90`
std::string sumsOf(const Profile &profile, StringRef weightName) {
  WeightIndex weight = profile.findWeight(weightName).value();
  std::vector<uint64_t> inclusive = profile.inclusive(weight);
  std::map<int32_t, std::pair<uint64_t, uint64_t>> sums;
  for (NodeIndex node = 1; node < profile.tree.size(); ++node) {
    auto &[self, total] = sums[profile.function(node).id];
    self += profile.self(node, weight);
    bool isRecursive = false;
    for (NodeIndex caller = profile.tree[node].parent; caller != ContextTree::root;
         caller = profile.tree[caller].parent)
      isRecursive |= profile.tree[caller].function == profile.tree[node].function;
    total += isRecursive ? 0 : inclusive[node];
  }
  std::string text;
  for (auto [id, sum] : sums)
    text += (text.empty() ? "" : ", ") + std::string(1, char('a' + id - 1)) + " " +
            std::to_string(sum.first) + "/" + std::to_string(sum.second);
  return text;
}

TEST(WorkedExample, hasTheSumsOfItsClock) {
  for (const Example &example : examples)
    for (Clocks clocks : {Clocks::time, Clocks::timeAndFuel, Clocks::fuel}) {
      Profile profile = profileOf(recordOf(example, clocks));
      EXPECT_EQ(sumsOf(profile, clocks == Clocks::time ? "time" : "fuel"), example.expected)
          << example.name << ", clocks " << int(clocks);
    }
}

} // namespace
