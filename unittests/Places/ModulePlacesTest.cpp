// SPDX-License-Identifier: Apache-2.0
#include "warpo/Places/ModulePlaces.h"
#include "gtest/gtest.h"
#include <random>

using namespace llvm;
using namespace warpo;

namespace {

// run() at 10, with twice() inlined, and in it square(), which has a line of another file and one
// that nobody knows; a function without anything behind it.
ModulePlaces example() {
  ModulePlaces places;
  places.origin = "dwarf";
  places.code = 40;
  places.files = {"/src/a.c", "/src/b.inc"};
  places.names = {"square", "twice", "_Z3runi"};
  places.inlinees = {{1, 1, 5}, {2, 1, 9}};
  FunctionPlaces run;
  run.index = 3;
  run.id = 16777218;
  run.name = 3;
  run.file = 1;
  run.line = 20;
  run.start = 10;
  run.size = 30;
  run.calls = {{0, 2, 1, 22, 7}, {1, 1, 1, 10, 0}};
  run.changes = {{12, 1}, {15, 2}, {20, 0}};
  run.rows = {{10, 1, 21}, {15, 2, 6}, {16, 0, 0}, {17, 2, 4}, {20, 1, 23}};
  run.sites = {{11, CallTarget::function(16777216, false)},
               {15, CallTarget::openFunctions()},
               {15, CallTarget::function(INT32_MAX, true)},
               {39, CallTarget::anyFunction()}};
  run.costs = {7, 0, 300};
  FunctionPlaces bare;
  bare.index = 7;
  bare.start = 50;
  bare.size = 2;
  places.functions = {run, bare};
  places.map.code = 100;
  places.map.end = 60;
  // Five bytes in front of run(), one in it in the place of four, and three behind that.
  for (CodeMap::Run run : {CodeMap::Run{15, 10}, CodeMap::Run{22, 20}, CodeMap::Run{25, 20},
                           CodeMap::Run{40, 35}, CodeMap::Run{60, 50}})
    places.map.add(run.instrumented, run.original);
  return places;
}

std::string textOf(const ModulePlaces &places, uint64_t offset) {
  std::string text;
  for (const SourceFrame &frame : locate(places, offset))
    text += (frame.function + "@" + frame.file + ":" + Twine(frame.line) + ":" +
             Twine(frame.column) + "<" + Twine(frame.startLine) + ">;")
                .str();
  return text;
}

TEST(ModulePlaces, FramesStandInnermostFirst) {
  for (const ModulePlaces &places :
       {example(), cantFail(decodePlaces(encodePlaces(example()).bytes, "places"))}) {
    EXPECT_EQ(textOf(places, 9), "");
    EXPECT_EQ(textOf(places, 10), "_Z3runi@/src/a.c:21:0<20>;");
    EXPECT_EQ(textOf(places, 14), "twice@/src/a.c:21:0<9>;_Z3runi@/src/a.c:22:7<20>;");
    EXPECT_EQ(textOf(places, 15),
              "square@/src/b.inc:6:0<5>;twice@/src/a.c:10:0<9>;_Z3runi@/src/a.c:22:7<20>;");
    EXPECT_EQ(textOf(places, 16),
              "square@:0:0<5>;twice@/src/a.c:10:0<9>;_Z3runi@/src/a.c:22:7<20>;");
    EXPECT_EQ(textOf(places, 39), "_Z3runi@/src/a.c:23:0<20>;");
    EXPECT_EQ(textOf(places, 40), "");
    EXPECT_EQ(textOf(places, 51), "@:0:0<0>;");
    EXPECT_EQ(textOf(places, 52), "");
    EXPECT_EQ(textOf(places, UINT64_MAX), "");
  }
}

TEST(ModulePlaces, TheMapLeadsBackToTheOriginal) {
  const std::pair<uint64_t, uint32_t> cases[] = {
      {0, 0},    {99, 0},   {100, 0},  {114, 0},  {115, 10}, {120, 15},
      {121, 16}, {122, 20}, {124, 20}, {125, 20}, {139, 34}, {140, 35},
      {154, 49}, {155, 50}, {159, 50}, {160, 0},  {161, 0},  {115 + (uint64_t(1) << 32), 0}};
  for (const ModulePlaces &places :
       {example(), cantFail(decodePlaces(encodePlaces(example()).bytes, "places"))}) {
    EXPECT_EQ(places.map.runs.size(), 4u);
    for (auto [offset, original] : cases)
      EXPECT_EQ(places.map.originalOf(offset), original) << offset;
  }
  EXPECT_EQ(CodeMap().originalOf(0), 0u);
  // A run that would go on behind all offsets.
  CodeMap last;
  last.end = UINT32_MAX;
  last.add(1, UINT32_MAX);
  EXPECT_EQ(last.originalOf(1), UINT32_MAX);
  EXPECT_EQ(last.originalOf(2), 0u);
}

TEST(ModulePlaces, TheMapIsAlsoWrittenWithoutAList) {
  CodeMap map;
  map.code = 100;
  map.end = 300;
  // Beginning and end, then for each run how far behind the last one it begins in the original, and
  // how much farther it has moved, in zigzag form.
  const SmallVector<uint8_t, 0> expected = {100, 0xac, 2, 0, 0, 10, 10, 7, 6, 0x94, 1, 5};
  SmallVector<uint8_t, 0> whole, bytes;
  ByteWriter writer(bytes);
  CodeMapEncoder encoder(writer);
  encoder.begin(map.code, map.end);
  for (CodeMap::Run run : {CodeMap::Run{0, 0}, CodeMap::Run{15, 10}, CodeMap::Run{22, 17},
                           CodeMap::Run{25, 17}, CodeMap::Run{170, 165}}) {
    map.add(run.instrumented, run.original);
    encoder.add(run);
  }
  ByteWriter wholeWriter(whole);
  map.write(wholeWriter);
  EXPECT_EQ(map.runs.size(), 4u);
  EXPECT_EQ(bytes, expected);
  EXPECT_EQ(whole, expected);
}

TEST(ModulePlaces, TextsThatNothingRefersToAreLeftOut) {
  ModulePlaces places = example();
  places.names.insert(places.names.begin(), "nobody");
  for (Inlinee &inlinee : places.inlinees)
    ++inlinee.name;
  places.functions.front().name = 0;
  ModulePlaces read = cantFail(decodePlaces(encodePlaces(places).bytes, "places"));
  EXPECT_EQ(read.names, (std::vector<std::string>{"square", "twice"}));
  EXPECT_EQ(read.origin, "dwarf");
  EXPECT_EQ(read.code, 40u);
  EXPECT_EQ(read.functions.front().id, 16777218);
  EXPECT_EQ(read.functions.back().index, 7u);
}

TEST(ModulePlaces, CallsKeepTheirTargets) {
  ModulePlaces read = cantFail(decodePlaces(encodePlaces(example()).bytes, "places"));
  const FunctionPlaces &run = read.functions.front();
  std::vector<std::tuple<uint32_t, int32_t, bool, bool>> sites;
  for (const CallInCode &site : run.sites)
    sites.emplace_back(site.offset, site.target.id(), site.target.isOpen(), site.target.isAny());
  EXPECT_EQ(sites, (decltype(sites){{11, 16777216, false, false},
                                    {15, 0, false, false},
                                    {15, INT32_MAX, true, false},
                                    {39, 0, true, true}}));
  EXPECT_EQ(run.costs, (std::vector<uint32_t>{7, 0, 300}));
  EXPECT_TRUE(read.functions.back().sites.empty());
  EXPECT_TRUE(read.functions.back().costs.empty());
  EXPECT_FALSE(CallTarget::fromNumber(CallTarget::function(INT32_MAX, true).number() + 1));
}

TEST(ModulePlaces, AMapThatIsTooLargeIsLeftOutAlone) {
  ModulePlaces places = example();
  places.map.runs.resize(maxCodeRuns + 1);
  EncodedPlaces encoded = encodePlaces(std::move(places));
  EXPECT_EQ(encoded.leftOut, std::vector<StringRef>{"the map of the instrumented code"});
  ModulePlaces read = cantFail(decodePlaces(encoded.bytes, "places"));
  EXPECT_TRUE(read.map.runs.empty());
  EXPECT_EQ(textOf(read, 10), "_Z3runi@/src/a.c:21:0<20>;");
}

TEST(ModulePlaces, DamageIsAnError) {
  SmallVector<uint8_t, 0> parts = encodePlaceParts(example());
  EXPECT_TRUE(bool(decodePlaceParts(parts, "places")));
  size_t refused = 0;
  for (size_t i = 0; i != parts.size(); ++i) {
    auto cut = decodePlaceParts(ArrayRef(parts).take_front(i), "places");
    refused += !cut;
    consumeError(cut ? Error::success() : cut.takeError());
  }
  // Whole parts may be missing, if nothing refers to them.
  EXPECT_GT(refused, parts.size() - 11);

  // Whatever is read can be asked for each offset.
  std::mt19937 random(1);
  for (unsigned round = 0; round != 20000; ++round) {
    SmallVector<uint8_t, 0> changed = parts;
    for (unsigned changes = 1 + random() % 3; changes; --changes)
      changed[random() % changed.size()] = uint8_t(random());
    auto places = decodePlaceParts(changed, "places");
    if (!places) {
      consumeError(places.takeError());
      continue;
    }
    for (uint64_t offset = 0; offset != 64; ++offset)
      EXPECT_LE(locate(*places, places->map.originalOf(offset)).size() +
                    locate(*places, offset).size(),
                512u);
  }
}

TEST(ModulePlaces, SayHowLargeTheyAre) {
  EXPECT_EQ(placePartsSize(encodePlaces(example()).bytes), encodePlaceParts(example()).size());
  EXPECT_EQ(placePartsSize({}), 0u);
  EXPECT_EQ(placePartsSize(std::vector<uint8_t>{1, 0x80}), 0u);
  EXPECT_EQ(placePartsSize(std::vector<uint8_t>{2, 5}), std::nullopt);
}

TEST(ModulePlaces, LimitsAreKept) {
  const std::pair<std::vector<uint8_t>, const char *> cases[] = {
      {{2, 5, 0xff, 0xff, 0xff, 0xff, 0x0f}, "places:0x7: 4294967295 items in 0 bytes"},
      {{3, 1, 0, 2, 1, 0}, "places:0x4: part 2 behind part 3"},
      {{2, 9}, "places:0x2: unexpected end"},
      {{4, 4, 1, 1, 0, 0}, "places:0x4: name 1 of 0"},
      {{5, 8, 1, 0, 1, 0, 3, 0, 0, 0}, "places:0x7: file 3 of 0"},
      {{5, 12, 1, 0, 0x81, 0x80, 0x80, 0xf8, 0x07, 0, 0, 0, 0, 0}, "places:0x9: the id 2147483648"},
      {{5, 12, 1, 0, 1, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0x0f, 1},
       "places:0xe: a function that ends at 4294967296"},
      {{5, 15, 2, 0, 1, 0, 0, 0, 9, 5, 0, 1, 0, 0, 0, 13, 1},
       "places:0x11: a function at 13, in the one before"},
      {{5, 8, 1, 0, 1, 0, 0, 0, 9, 5, 6, 8, 0, 1, 2, 0, 0, 0, 0, 0},
       "places:0xf: call 1 in the one 2 before it"},
      {{5, 8, 1, 0, 1, 0, 0, 0, 9, 5, 6, 8, 0, 1, 0, 0, 0, 0, 0, 0},
       "places:0xf: call 1 in the one 0 before it"},
      {{5, 8, 1, 0, 1, 0, 0, 0, 9, 5, 6, 8, 0, 1, 1, 4, 0, 0, 0, 0}, "places:0x10: inlinee 4 of 0"},
      {{5, 8, 1, 0, 1, 0, 0, 0, 9, 5, 6, 5, 0, 0, 1, 0, 1}, "places:0x11: call 1 of 0"},
      {{5, 8, 1, 0, 1, 0, 0, 0, 9, 5, 6, 5, 0, 0, 1, 5, 0},
       "places:0x10: offset 14 is not below 14"},
      {{5, 8, 1, 0, 1, 0, 0, 0, 9, 5, 6, 7, 0, 0, 2, 2, 0, 0, 0}, "places:0x12: offset 11 twice"},
      {{5, 8, 1, 0, 0, 0, 0, 0, 5, 3, 7, 1, 9},
       "places:0xd: the place of a function 9 is not below 1"},
      {{5, 8, 1, 0, 1, 0, 0, 0, 9, 5, 9, 4, 0, 1, 5, 2}, "places:0xf: offset 14 is not below 14"},
      {{5, 8, 1, 0, 1, 0, 0, 0, 9, 5, 9, 8, 0, 1, 4, 0xff, 0xff, 0xff, 0xff, 0x0f},
       "places:0x14: call of the target 4294967295"},
      {{5, 8, 1, 0, 1, 0, 0, 0, 9, 5, 10, 1, 0}, "places:0xd: unexpected end"},
      {{8, 1, 9}, "places:0x3: unexpected end"},
      {{8, 3, 0, 9, 1}, "places:0x5: unexpected end"},
      {{8, 4, 0, 9, 1, 3}, "places:0x6: a run of code that does not begin after the run before it"},
      {{8, 6, 0, 9, 3, 4, 1, 7},
       "places:0x8: a run of code that does not begin after the run before it"},
      {{8, 12, 0, 9, 0xff, 0xff, 0xff, 0xff, 0x0f, 0, 1, 0, 0, 0},
       "places:0xc: a run of code that does not begin after the run before it"},
      {{8, 8, 0, 9, 0, 0x80, 0x80, 0x80, 0x80, 0x40},
       "places:0xa: a run of code that does not begin after the run before it"},
  };
  for (const auto &[bytes, message] : cases) {
    auto places = decodePlaceParts(bytes, "places");
    EXPECT_EQ(places ? "" : toString(places.takeError()).substr(0, StringRef(message).size()),
              message);
  }
  // 256 calls, each in the one before.
  std::vector<uint8_t> deep{5, 8, 1, 0, 1, 0, 0, 0, 9, 5, 6, 0x84, 0x0a, 0, 0x80, 2};
  for (int i = 0; i < 256; ++i)
    deep.insert(deep.end(), {1, 0, 0, 0, 0});
  deep.push_back(0);
  EXPECT_NE(toString(decodePlaceParts(deep, "places").takeError()).find("calls deeper than 255"),
            std::string::npos);
  EXPECT_EQ(toString(decodePlaces(std::vector<uint8_t>{2, 0}, "a").takeError()),
            "a: source places of version 2, not 1");
  EXPECT_EQ(
      toString(decodePlaces(std::vector<uint8_t>{1, 0x81, 0x80, 0x80, 0x20}, "a").takeError()),
      "a:0x5: source places of 67108865 bytes");
}

} // namespace
