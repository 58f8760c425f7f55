//===- SourceMapTest.cpp --------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Wasm/SourceMap.h"
#include "TestModule.h"
#include "warpo/Wasm/ModuleEditor.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace warpo;
using namespace warpo::wasm;
using namespace warpo::test;

namespace {

// "7=0:3:1 9 12=0:4:0#2": offset, source, line, column, name.
std::string textOf(const SourceMapEntry &entry) {
  std::string text = std::to_string(entry.offset);
  if (const auto &place = entry.place)
    text += "=" + std::to_string(place->source) + ":" + std::to_string(place->line) + ":" +
            std::to_string(place->column);
  if (entry.name)
    text += "#" + std::to_string(*entry.name);
  return text;
}

std::string textOf(MappingsReader reader) {
  std::string text;
  for (SourceMapEntry entry;;) {
    auto another = reader.next(entry);
    if (!another)
      return text + toString(another.takeError());
    if (!*another)
      return text;
    text += textOf(entry) + " ";
  }
}

// The reverse.
std::string mappingsOf(StringRef text) {
  MappingsWriter writer;
  SmallVector<StringRef, 8> words;
  text.split(words, ' ', -1, /*KeepEmpty=*/false);
  for (StringRef word : words) {
    SourceMapEntry entry;
    SourcePlace place;
    uint32_t name;
    word.consumeInteger(10, entry.offset);
    if (word.consume_front("=")) {
      word.consumeInteger(10, place.source);
      word.consume_front(":");
      word.consumeInteger(10, place.line);
      word.consume_front(":");
      word.consumeInteger(10, place.column);
      entry.place = place;
    }
    if (word.consume_front("#") && !word.consumeInteger(10, name))
      entry.name = name;
    writer.add(entry);
  }
  return writer.take();
}

TEST(Mappings, AreRead) {
  EXPECT_EQ(textOf(MappingsReader("AAAA,KAEC,EADDC,I")), "0=0:0:0 5=0:2:1 7=0:1:0#1 11 ");
  EXPECT_EQ(textOf(MappingsReader("")), "");
  EXPECT_EQ(textOf(MappingsReader(",,A,,E;;;")), "0 2 ");
  EXPECT_EQ(textOf(MappingsReader("+/////H")), "4294967295 ");
}

TEST(Mappings, AreWritten) {
  EXPECT_EQ(mappingsOf("0=0:0:0 5=0:2:1 7=0:1:0#1 11"), "AAAA,KAEC,EADDC,I");
  EXPECT_EQ(mappingsOf("4294967295"), "+/////H");
  for (StringRef text : {"0 0 1 15 16 17 1023 1024 1025 4294967295 ",
                         "7=3:4294967295:4294967295 8=0:0:0 9=3:4294967295:0#5 9=0:1:2#0 "})
    EXPECT_EQ(textOf(MappingsReader(mappingsOf(text))), text.str());
}

TEST(Mappings, RefuseWithThePlace) {
  const struct {
    const char *mappings;
    const char *message;
  } cases[] = {
      {"A,D", "0 mappings, character 3: a number that leads to -1"},
      {"E,D", "2 mappings, character 3: offset 1 after 2"},
      {"g", "mappings, character 1: a number that does not end"},
      {"A,g,A", "0 mappings, character 3: a number that does not end"},
      {"A?", "mappings, character 1: not a digit in base 64"},
      {"AA", "mappings, character 2: a number that does not end"},
      {"AAA,", "mappings, character 3: a number that does not end"},
      {"AAAD", "mappings, character 4: a number that leads to -1"},
      {"AAAAAA", "mappings, character 5: an entry of more than five numbers"},
      {"ggggggggB", "mappings, character 7: a number of more than 32 bits"},
      {"ggggggI", "mappings, character 7: a number that leads to 4294967296"},
      {"A;A", "0 mappings, character 2: a second line: a module is one line"},
      {";A", "mappings, character 1: a second line: a module is one line"},
  };
  for (const auto &test : cases)
    EXPECT_EQ(textOf(MappingsReader(test.mappings)), test.message) << test.mappings;
}

TEST(SourceMap, KeepsWhatItDoesNotChange) {
  auto map = SourceMap::parse(
      R"x()]}'
{"version": 3, "sources": ["a.ts", null, "b"], "names": ["n"], "sourceRoot": "root",
"mappings": "AEAA", "file": "old.wasm", "x_other": [1, {"a": null}], "sourcesContent": ["\u00e9"]})x",
      "m.map");
  ASSERT_TRUE(bool(map)) << toString(map.takeError());
  EXPECT_EQ(map->sources(), ArrayRef<std::string>({"root/a.ts", "", "root/b"}));
  EXPECT_EQ(textOf(map->entries()), "0=2:0:0 ");
  EXPECT_EQ(map->withMappings("C", "new.wasm"),
            R"({"file":"new.wasm","mappings":"C","names":["n"],"sourceRoot":"root",)"
            "\"sources\":[\"a.ts\",null,\"b\"],\"sourcesContent\":[\"\u00e9\"],"
            R"("version":3,"x_other":[1,{"a":null}]})");
}

TEST(SourceMap, LeavesOutTheModuleThatAscTakesForAFolder) {
  const std::tuple<const char *, const char *, const char *, const char *> cases[] = {
      {"./app", "assembly/a.ts", "build/app.wasm.map", "assembly/a.ts"},
      {"./app", "assembly/a.ts", "build/other.wasm.map", "./app/assembly/a.ts"},
      {"./app", "~lib/rt/tlsf.ts", "build/other.wasm.map", "~lib/rt/tlsf.ts"},
      {"./app/src", "a.ts", "app.map", "./app/src/a.ts"},
      {"app", "a.ts", "app.map", "app/a.ts"},
      {"./", "a.ts", "app.map", "./a.ts"},
  };
  for (auto [root, source, file, expected] : cases) {
    std::string json = R"({"version": 3, "sources": [")" + std::string(source) +
                       R"("], "mappings": "", "sourceRoot": ")" + root + "\"}";
    auto map = SourceMap::parse(json, file);
    ASSERT_TRUE(bool(map)) << toString(map.takeError());
    EXPECT_EQ(map->sources(), ArrayRef<std::string>({expected})) << root << ' ' << file;
  }
}

TEST(SourceMap, RefusesOtherDocuments) {
  const std::pair<const char *, const char *> cases[] = {
      {"[]", "m: a source map is a JSON object"},
      {"{}", "m: a source map has the version 3"},
      {R"({"version": 3, "sections": []})",
       "m: a source map of several sections, which modules do not have"},
      {R"({"version": 3, "sources": []})", "m: a source map has mappings, a string"},
      {R"({"version": 3, "mappings": ""})", "m: a source map has sources, an array"},
      {R"({"version": 3, "mappings": "", "sources": [1]})", "m: a source that is not a string"},
  };
  for (const auto &[json, message] : cases) {
    auto map = SourceMap::parse(json, "m");
    ASSERT_FALSE(bool(map)) << json;
    EXPECT_EQ(toString(map.takeError()), message);
  }
  auto deep = SourceMap::parse(std::string(1000000, '['), "m");
  EXPECT_EQ(toString(deep.takeError()), "m: JSON that is nested more than 100 deep");
}

// Two functions; the second is left by a branch and gets a block around its body.
TEST(SourceMap, EntriesFollowTheirInstructions) {
  // Bodies at 0x20 and 0x25: locals, two instructions, the end.
  Bytes bytes =
      moduleOf({section(1, "01 60 00 00"), section(2, "01 'm' 'f' 00 00"), section(3, "02 00 00"),
                section(10, "02 04 00 01 01 0b 05 00 01 0c 00 0b")});
  Expected<Module> original = readModule(bytes, "m");
  ASSERT_TRUE(bool(original)) << toString(original.takeError());
  ASSERT_EQ(original->bodies[0].offset, 32u);
  ASSERT_EQ(original->bodies[1].offset, 37u);

  ModuleEditor editor(*original);
  FunctionRef probe = editor.importFunction("b", "p", ValueType::i32, {});
  editor.addThunk(0, true);
  SmallVector<uint8_t, 0> out;
  CodeMovements movements;
  auto statistics = editor.write(
      [&](uint32_t, FunctionEdit &edit) {
        edit.entry.i32Const(1).call(probe);
        edit.exit.i32Const(-1).call(probe);
      },
      out, &movements);
  ASSERT_TRUE(bool(statistics)) << toString(statistics.takeError());
  Expected<Module> rewritten = readModule(out, "m");
  ASSERT_TRUE(bool(rewritten)) << toString(rewritten.takeError());
  uint32_t first = uint32_t(rewritten->bodies[0].offset);
  uint32_t second = uint32_t(rewritten->bodies[1].offset);
  uint32_t third = uint32_t(rewritten->bodies[2].offset);

  auto move = [&](StringRef entries) -> std::string {
    std::string json =
        R"({"version": 3, "sources": ["a"], "mappings": ")" + mappingsOf(entries) + "\"}";
    auto map = SourceMap::parse(json, "m.map");
    if (!map)
      return toString(map.takeError());
    auto moved = moveMappings(*map, *original, *rewritten, movements);
    return moved ? textOf(MappingsReader(*moved)) : toString(moved.takeError());
  };
  auto at = [](uint32_t offset, const char *place) { return std::to_string(offset) + place + " "; };
  // Instructions, the ends, and the place behind the function.
  EXPECT_EQ(move("33=0:1:0 34=0:2:0 35=0:3:0 36=0:4:0 38=0:5:0 39=0:6:0 41=0:7:0"),
            at(first, "=0:1:0") + at(first + 5, "=0:1:0") + at(first + 6, "=0:2:0") +
                at(first + 11, "=0:3:0") + at(first + 12, "=0:4:0") + at(second, "=0:5:0") +
                at(second + 7, "=0:5:0") + at(second + 8, "=0:6:0") + at(second + 15, "=0:7:0") +
                at(third, ""));
  // An entry at the beginning of the body covers what is inserted; one without a place is copied.
  EXPECT_EQ(move("32=0:1:0 33=0:2:0 38 39=0:3:0"), at(first, "=0:1:0") + at(first + 5, "=0:2:0") +
                                                       at(second, "") + at(second + 7, "") +
                                                       at(second + 8, "=0:3:0") + at(third, ""));
  // Outside of bodies.
  EXPECT_EQ(move("0=0:1:0 31=0:1:1 37=0:2:0 43=0:3:0 99=0:4:0"),
            at(second, "=0:2:0") + at(third, ""));
  EXPECT_EQ(move(""), at(third, ""));

  auto entriesOf = [&](StringRef entries) {
    auto map = SourceMap::parse(
        R"({"version": 3, "sources": ["a"], "mappings": ")" + mappingsOf(entries) + "\"}", "m.map");
    EXPECT_TRUE(bool(map));
    std::string found;
    EXPECT_FALSE(forEachEntry(*map, *original, [&](const SourceMapEntry &entry, size_t body) {
      found += std::to_string(body) + ":" + std::to_string(entry.offset) + " ";
    }));
    return found;
  };
  EXPECT_EQ(entriesOf("33=0:1:0 34=0:2:0 39 40=0:6:0"), "0:33 0:34 1:39 1:40 ");
  EXPECT_EQ(entriesOf("0=0:1:0 37=0:1:0 38=0:1:0 99=0:2:0"), "1:37 1:38 ");
}

TEST(SourceMap, DamageIsAnErrorWithTheFile) {
  Bytes bytes = moduleOf({});
  Expected<Module> module = readModule(bytes, "m");
  ASSERT_TRUE(bool(module)) << toString(module.takeError());
  auto map = SourceMap::parse(R"({"version": 3, "sources": [], "mappings": "A?"})", "m.map");
  ASSERT_TRUE(bool(map)) << toString(map.takeError());
  EXPECT_EQ(toString(forEachEntry(*map, *module, [](const SourceMapEntry &, size_t) {})),
            "m.map: mappings, character 1: not a digit in base 64");
  EXPECT_EQ(toString(moveMappings(*map, *module, *module, CodeMovements()).takeError()),
            "m.map: mappings, character 1: not a digit in base 64");
}

} // namespace
