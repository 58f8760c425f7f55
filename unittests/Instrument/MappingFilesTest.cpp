//===- MappingFilesTest.cpp -----------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Instrument/InstrumentJob.h"
#include "llvm/Support/JSON.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace warpo;

namespace {

TEST(MappingFiles, OneLineAFunction) {
  std::vector<FunctionReport> functions;
  for (const auto &[name, id] : {std::pair("a b", 16777216), std::pair("left out", 0),
                                 std::pair("two\nlines\r\n", 16777217), std::pair("", 16777218)}) {
    functions.emplace_back();
    functions.back().name = name;
    functions.back().id = id;
  }
  std::string text;
  raw_string_ostream os(text);
  writeMapping(os, functions);
  EXPECT_EQ(text, "16777216 a b\n16777217 two lines  \n16777218 \n");
}

// A file's text in one line, with its keys in their order.
std::string oneLine(StringRef text) {
  Expected<json::Value> value = json::parse(text);
  if (!value)
    return toString(value.takeError());
  std::string line;
  raw_string_ostream(line) << *value;
  return line;
}

std::string append(StringRef existing, StringRef jsonFile, const MappingJsonEntry &entry) {
  Expected<std::string> text = appendMappingJson(existing, jsonFile, entry);
  return text ? oneLine(*text) : toString(text.takeError());
}

TEST(MappingFiles, PathsAreRelativeToTheJson) {
  const struct {
    const char *json;
    const char *mapping;
    const char *expected;
  } cases[] = {
      {"all.json", "a.map", "a.map"},
      {"/x/all.json", "/x/a.map", "a.map"},
      {"/x/all.json", "/x/y/a.map", "y/a.map"},
      {"/x/y/all.json", "/x/a.map", "../a.map"},
      {"/x/y/all.json", "/z/a.map", "../../z/a.map"},
      {"/x/./y/../all.json", "/x//a.map", "a.map"},
      {"/xy/all.json", "/x/a.map", "../x/a.map"},
      {"sub/all.json", "a.map", "../a.map"},
  };
  for (const auto &test : cases) {
    SCOPED_TRACE(test.mapping);
    EXPECT_EQ(append("", test.json, {7, "m", test.mapping}),
              std::string(R"([{"mappingFile":")") + test.expected +
                  R"(","moduleId":"0x0000000000000007","moduleName":"m"}])");
  }
}

TEST(MappingFiles, ReplacesTheSameModuleAndMapping) {
  const std::string added =
      R"({"mappingFile":"new","moduleId":"0x00000000000000ff","moduleName":"m"})";
  for (StringRef id : {"255", "\"255\"", "\"0xff\"", "\"0x00FF\""}) {
    SCOPED_TRACE(id.str());
    EXPECT_EQ(append(("[{\"moduleId\": " + id + ", \"mappingFile\": \"./new\"}]").str(), "j",
                     {255, "m", "new"}),
              "[" + added + "]");
  }
  EXPECT_EQ(append(R"([{"moduleId": 1, "mappingFile": "one"}])", "j", {255, "m", "new"}),
            R"([{"mappingFile":"one","moduleId":1},)" + added + "]");
  EXPECT_EQ(append(" \n", "j", {255, "m", "new"}), "[" + added + "]");
}

TEST(MappingFiles, RefusesAnotherMappingOfAnId) {
  const struct {
    const char *json;
    const char *has;
    const char *mapping;
    bool isSame;
  } cases[] = {
      {"all.json", "a.map", "b.map", false},
      {"all.json", "a.map", "a.map", true},
      {"/x/y/all.json", "../a.map", "/x/a.map", true},
      {"/x/y/all.json", "a.map", "/x/a.map", false},
      {"/x/y/all.json", "/z/a.map", "/z/a.map", true},
      {"/x/y/all.json", "/z/a.map", "/z/b.map", false},
  };
  for (const auto &test : cases) {
    SCOPED_TRACE((StringRef(test.has) + " " + test.mapping).str());
    std::string existing =
        (R"([{"moduleId": 1, "mappingFile": "x"}, {"moduleId": 7, "mappingFile": ")" +
         StringRef(test.has) + "\"}]")
            .str();
    std::string text = append(existing, test.json, {7, "m", test.mapping});
    if (test.isSame)
      EXPECT_TRUE(StringRef(text).contains("\"moduleName\":\"m\"")) << text;
    else
      EXPECT_EQ(text, StringRef(test.json).str() + ": entry 1 has the mapping " + test.has +
                          " for the module id 0x0000000000000007, which cannot have another: give "
                          "the module an id of its own (--module-id), or remove that entry");
  }
}

TEST(MappingFiles, NamesNeedNotBeText) {
  EXPECT_EQ(append("", "j", {1, "a\"b\xff", "f"}),
            R"([{"mappingFile":"f","moduleId":"0x0000000000000001","moduleName":"a\"b)"
            "\xef\xbf\xbd\"}]");
}

TEST(MappingFiles, NamesMayBeMissing) {
  EXPECT_EQ(append("", "j", {1, "", "f"}),
            R"([{"mappingFile":"f","moduleId":"0x0000000000000001"}])");
}

TEST(MappingFiles, RefusesOtherFiles) {
  const std::pair<const char *, const char *> cases[] = {
      {"{}", "j: is not an array of mappings"},
      {"3", "j: is not an array of mappings"},
      {"[3]", "j: entry 0 has no moduleId and mappingFile"},
      {R"([{"moduleId": 1}])", "j: entry 0 has no moduleId and mappingFile"},
      {R"([{"mappingFile": "f"}])", "j: entry 0 has no moduleId and mappingFile"},
      {R"([{"moduleId": -1, "mappingFile": "f"}])", "j: entry 0 has no moduleId and mappingFile"},
      {R"([{"moduleId": "0x", "mappingFile": "f"}])", "j: entry 0 has no moduleId and mappingFile"},
      {R"([{"moduleId": 1, "mappingFile": 2}])", "j: entry 0 has no moduleId and mappingFile"},
  };
  for (const auto &[text, message] : cases) {
    SCOPED_TRACE(text);
    EXPECT_EQ(append(text, "j", {1, "m", "f"}), message);
  }
  EXPECT_TRUE(StringRef(append("[", "j", {1, "m", "f"})).starts_with("j: "));
}

} // namespace
