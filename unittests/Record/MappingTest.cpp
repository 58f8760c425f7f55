//===- MappingTest.cpp - Mapping files and the table made of them ---------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Record/FunctionTable.h"
#include "warpo/Record/RecordFormat.h"
#include "warpo/Support/SectionId.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <climits>
#include <gtest/gtest.h>

using namespace llvm;
using namespace warpo;

namespace {

/// A folder for the files of a test.
class MappingTest : public testing::Test {
protected:
  void SetUp() override { ASSERT_FALSE(sys::fs::createUniqueDirectory("mapping", folder_)); }
  void TearDown() override { sys::fs::remove_directories(folder_); }

  std::string write(StringRef name, StringRef text) {
    SmallString<128> path(folder_);
    sys::path::append(path, name);
    std::error_code code;
    raw_fd_ostream(path, code) << text;
    EXPECT_FALSE(code);
    return path.str().str();
  }
  /// Loads a mapping; what it says names files without their folder.
  std::unique_ptr<FunctionTable> load(StringRef text, StringRef name = "map") {
    damage_ = DamageReport();
    error_.clear();
    auto table = FunctionTable::load(write(name, text), damage_);
    if (table)
      return std::move(*table);
    error_ = withoutFolder(toString(table.takeError()));
    return nullptr;
  }
  std::string damage() const {
    std::string text;
    for (const std::string &message : damage_.messages())
      text += withoutFolder(message) + "\n";
    return text;
  }
  std::string withoutFolder(std::string text) const {
    std::string prefix = folder_.str().str() + "/";
    for (size_t at; (at = text.find(prefix)) != std::string::npos;)
      text.erase(at, prefix.size());
    return text;
  }
  static std::string nameOf(FunctionTable &table, uint64_t module, int32_t id) {
    return table[table.idsOf(module).find(id)].name.str();
  }

  SmallString<128> folder_;
  DamageReport damage_;
  std::string error_;
};

TEST_F(MappingTest, readsLinesOfText) {
  auto table = load("16777216 main\n16777217 a b  c \r\n5 x\n2147483647 last");
  ASSERT_TRUE(table);
  EXPECT_EQ(damage(), "");
  EXPECT_EQ(nameOf(*table, 1, 16777216), "main");
  // A mapping of text holds for all modules.
  EXPECT_EQ(nameOf(*table, UINT64_MAX, 16777217), "a b  c ");
  EXPECT_EQ(nameOf(*table, 1, 5), "x");
  EXPECT_EQ(nameOf(*table, 1, INT_MAX), "last");
  EXPECT_EQ(table->unknownIds(), 0u);
  EXPECT_EQ(nameOf(*table, 1, 6), "unknown function 6");
  EXPECT_EQ(nameOf(*table, 2, 6), "unknown function 6");
  EXPECT_EQ(nameOf(*table, 2, 16777218), "unknown function 16777218");
  EXPECT_EQ(table->unknownIds(), 2u);
  EXPECT_EQ(table->moduleName(7), "Module 7");
}

TEST_F(MappingTest, readsEmscriptensSymbols) {
  auto table = load("0:__wasi_fd_write\n1:std::f\\28int\\2c\\20int\\29\n2:a b\n3:back\\slash\\2\n"
                    "2130706431:last\n2130706432:beyond\n4294967296:far\n:none\n");
  ASSERT_TRUE(table);
  EXPECT_EQ(nameOf(*table, 1, 16777216), "__wasi_fd_write");
  EXPECT_EQ(nameOf(*table, 1, 16777217), "std::f(int, int)");
  EXPECT_EQ(nameOf(*table, 1, 16777218), "a b");
  EXPECT_EQ(nameOf(*table, 1, 16777219), "back\\slash\\2");
  EXPECT_EQ(nameOf(*table, 1, INT_MAX), "last");
  EXPECT_EQ(damage(),
            "map:6: 3 lines that do not start with the id of a function (the first is here)\n");
}

TEST_F(MappingTest, reportsWhatIsWrongWithLines) {
  struct Case {
    const char *text;
    const char *damage;
    const char *nameOf5;
  };
  for (const Case &c : std::initializer_list<Case>{
           {"5 a\n5 b\n", "map:2: 1 id that has been given before (the last name wins)\n", "b"},
           {"5\n", "map:1: 1 id without a name\n", "function 5"},
           {"5 \n", "map:1: 1 id without a name\n", "function 5"},
           {"\n\n5 a\n\n", "", "a"},
           {"hello\n5 a\nworld x\n-5 b\n0 c\n2147483648 d\n+5 e\n0x5 f\n",
            "map:1: 7 lines that do not start with the id of a function (the first is here)\n",
            "a"},
           {"", "", "unknown function 5"},
       }) {
    auto table = load(c.text);
    ASSERT_TRUE(table) << error_;
    EXPECT_EQ(damage(), c.damage) << c.text;
    EXPECT_EQ(nameOf(*table, 0, 5), c.nameOf5) << c.text;
  }
}

TEST_F(MappingTest, readsTheModulesOfJson) {
  write("one", "16777216 main\n");
  write("two", "16777216 other\n");
  auto table = load(R"([{"moduleId": 1, "mappingFile": "one", "moduleName": "first"},
                        {"moduleId": "0xffffffffffffffff", "mappingFile": "two"},
                        {"moduleId": "18446744073709551614", "mappingFile": "two"}])");
  ASSERT_TRUE(table) << error_;
  EXPECT_EQ(nameOf(*table, 1, 16777216), "main");
  EXPECT_EQ(nameOf(*table, UINT64_MAX, 16777216), "other");
  EXPECT_EQ(nameOf(*table, UINT64_MAX - 1, 16777216), "other");
  EXPECT_EQ(nameOf(*table, 2, 16777216), "unknown function 16777216");
  EXPECT_EQ(table->moduleName(1), "first");
  EXPECT_EQ(table->moduleName(UINT64_MAX), "Module 18446744073709551615");
  EXPECT_EQ(table->mappedModuleName(UINT64_MAX), "");
}

TEST_F(MappingTest, readsInfoFiles) {
  const char *info = R"({"moduleName": "app", "functions": [
    {"name": "main", "id": 16777216, "source": "a.ts", "line": 7, "bodyHash": "0xFFFFFFFFFFFFFFFE"},
    {"name": "left out", "leftOut": "small"},
    {"name": "f", "id": 5, "bodyHash": "none"}]})";
  auto table = load(info);
  ASSERT_TRUE(table) << error_;
  EXPECT_EQ(nameOf(*table, 1, 16777216), "main");
  EXPECT_EQ(nameOf(*table, 2, 5), "f");
  const Function &main = (*table)[table->idsOf(1).find(16777216)];
  EXPECT_EQ(main.file, "a.ts");
  EXPECT_EQ(main.line, 7u);
  EXPECT_EQ(main.bodyHash, 0xfffffffffffffffeu);
  const Function &f = (*table)[table->idsOf(1).find(5)];
  EXPECT_EQ(f.file, "");
  EXPECT_EQ(f.line, 0u);
  EXPECT_EQ(f.bodyHash, 0u);
  EXPECT_EQ(table->modules().front().name, "app");

  write("info", info);
  table = load(R"([{"moduleId": 9, "mappingFile": "info"}])");
  ASSERT_TRUE(table) << error_;
  EXPECT_EQ(nameOf(*table, 9, 16777216), "main");
  EXPECT_EQ(table->moduleName(9), "app");

  // So is the same of another module, all that the file says of its functions.
  write("import",
        R"({"moduleName": "app", "functions": [{"name": "log", "id": 16777216, "kind": "import",
    "source": "a.ts", "line": 7, "bodyHash": "0x12"}]})");
  table = load(
      R"([{"moduleId": 1, "mappingFile": "import"}, {"moduleId": 2, "mappingFile": "import"}])");
  ASSERT_TRUE(table) << error_;
  for (uint64_t module : {1, 2}) {
    const Function &log = (*table)[table->idsOf(module).find(16777216)];
    EXPECT_EQ(table->moduleIdOf(log), module);
    EXPECT_EQ(table->moduleName(module), "app");
    EXPECT_EQ(log.file, "a.ts");
    EXPECT_EQ(log.line, 7u);
    EXPECT_EQ(log.bodyHash, 0x12u);
    EXPECT_TRUE(log.isImported);
  }

  const std::pair<const char *, const char *> wrong[] = {
      {"1", "is not an object"},
      {R"({"id": 0, "name": "f"})", "id is not that of a function (1 to 2147483647)"},
      {R"({"id": "7", "name": "f"})", "id is not that of a function (1 to 2147483647)"},
      {R"({"id": 2147483648, "name": "f"})", "id is not that of a function (1 to 2147483647)"},
      {R"({"id": 7})", "has no name"},
      {R"({"id": 6, "name": "f"})", "id 6 has been given before"},
  };
  for (const auto &[function, error] : wrong) {
    EXPECT_FALSE(
        load((Twine(R"({"functions": [{"id": 6, "name": "x"}, )") + function + "]}").str()));
    EXPECT_EQ(error_, (Twine("map: functions[1]: ") + error).str());
  }
}

// Were each of these to have an array that reaches to its id, they would take 4 GB.
TEST_F(MappingTest, sharesAFileAmongModules) {
  write("far", "33554431 far\n33554431 again\nx\n");
  std::string text = "[";
  for (int i = 0; i < 64; ++i)
    text += (Twine(i ? "," : "") + R"({"mappingFile": "far", "moduleId": )" + Twine(i) + "}").str();
  auto table = load(text + "]");
  ASSERT_TRUE(table) << error_;
  EXPECT_EQ(nameOf(*table, 0, 33554431), "again");
  EXPECT_EQ(nameOf(*table, 63, 33554431), "again");
  EXPECT_EQ(table->idsOf(63).dense().size(), 0u);
  EXPECT_EQ(damage(), "far:2: 1 id that has been given before (the last name wins)\n"
                      "far:3: 1 line that does not start with the id of a function\n");
}

TEST_F(MappingTest, refusesJsonOfAnotherShape) {
  write("one", "16777216 main\n");
  struct Case {
    const char *text;
    const char *error;
  };
  for (const Case &c : std::initializer_list<Case>{
           {"{}", "map: a JSON mapping is an array of objects with moduleId and mappingFile, or an "
                  "object with functions, as --info-file writes it"},
           {"[1]", "map: [0]: is not an object with moduleId and mappingFile"},
           {R"([{"mappingFile": "one"}])", "map: [0]: has no moduleId"},
           {R"([{"moduleId": 1}])", "map: [0]: has no mappingFile"},
           {R"([{"moduleId": 1, "mappingFile": ""}])", "map: [0]: mappingFile is not a path"},
           {R"([{"moduleId": 1, "mappingFile": 2}])", "map: [0]: mappingFile is not a path"},
           {R"([{"moduleId": 1, "mappingFile": "one", "moduleName": 2}])",
            "map: [0]: moduleName is not a string"},
           {R"([{"moduleId": 1, "mappingFile": "one", "extra": 2}])",
            "map: [0]: has an unknown key 'extra' (known: mappingFile, moduleId, moduleName)"},
           {R"([{"moduleId": 1, "mappingFile": "one"}, {"moduleId": "1", "mappingFile": "one"}])",
            "map: [1]: moduleId 1 has been given before"},
           {R"([{"moduleId": 1, "mappingFile": "absent"}])", "absent: no such file or directory"},
       }) {
    EXPECT_FALSE(load(c.text)) << c.text;
    EXPECT_EQ(error_, c.error) << c.text;
  }
  for (const char *id : {"-1", "1.5", "true", "null", "[]", "\"\"", "\"-1\"", "\"0x\"", "\"1x\"",
                         "18446744073709551616", "\"18446744073709551616\"",
                         "\"0x10000000000000000\"", "\" 1\"", "\"+1\""}) {
    EXPECT_FALSE(load((Twine("[{\"mappingFile\": \"one\", \"moduleId\": ") + id + "}]").str()));
    EXPECT_EQ(error_,
              "map: [0]: moduleId is neither an unsigned 64-bit integer nor a string of one "
              "(decimal, or hexadecimal with 0x)")
        << id;
  }
  EXPECT_FALSE(load("[{]"));
  EXPECT_EQ(StringRef(error_).take_front(4), "map:");
  EXPECT_TRUE(load("[]"));
}

TEST_F(MappingTest, readsManyFunctions) {
  std::string text;
  for (int i = 0; i < 200000; ++i)
    text += (Twine(16777216 + i) + " f" + Twine(i) + "\n").str();
  auto table = load(text);
  ASSERT_TRUE(table);
  EXPECT_EQ(table->size(), 200000u);
  EXPECT_EQ(nameOf(*table, 0, 16777216 + 199999), "f199999");
}

TEST(FunctionTable, callsFunctionsByTheirIdsWithoutAMapping) {
  FunctionTable table;
  FunctionIds &ids = table.idsOf(1);
  EXPECT_EQ(table[ids.find(7)].name, "function 7");
  EXPECT_EQ(ids.find(7), ids.find(7));
  EXPECT_NE(ids.find(7), ids.find(8));
  EXPECT_EQ(table[ids.find(INT_MAX - 3)].name, "function 2147483644");
}

TEST(FunctionTable, boundsTheUnknownIds) {
  FunctionTable table;
  FunctionIds &ids = table.idsOf(1);
  for (uint32_t i = 1; i <= FunctionTable::maxUnknownIds; ++i)
    ids.find(int32_t(i * 7));
  EXPECT_FALSE(table.hasIndistinctIds());
  EXPECT_EQ(table[ids.find(2000000011)].name, "unknown functions");
  EXPECT_EQ(ids.find(2000000012), ids.find(2000000011));
  EXPECT_EQ(table[ids.find(7)].name, "function 7");
  EXPECT_EQ(table.size(), FunctionTable::maxUnknownIds + 1);
  EXPECT_TRUE(table.hasIndistinctIds());
}

// The array for quick look-ups follows the ids, in whatever order they come, and not a stray one.
TEST(FunctionTable, keepsArraysSmall) {
  constexpr int32_t first = FunctionIds::firstId;
  constexpr int32_t count = 200000;
  FunctionTable table;
  FunctionIds &ids = table.idsOf(1);
  ids.find(first + (1 << 24) - 1);
  EXPECT_EQ(ids.dense().size(), 0u);
  for (int32_t i = count; i-- > 0;)
    ids.find(first + i);
  EXPECT_LE(ids.dense().size(), size_t(count));
  EXPECT_GT(ids.dense().size(), size_t(count) / 2);
  for (int32_t i = 0; i < count; i += 1000)
    EXPECT_EQ(table[ids.find(first + i)].id, first + i);
  EXPECT_EQ(table.unknownIds(), size_t(count) + 1);
}

// Marks say how a function was entered: without and with a mapping it is the same function.
TEST_F(MappingTest, leavesMarksOut) {
  auto table = load("16777216 main\n16777217 f\n18874369 has such an id\n");
  ASSERT_TRUE(table);
  FunctionTable unnamed;
  for (FunctionTable *known : {&*table, &unnamed}) {
    FunctionIds &ids = known->idsOf(1);
    for (int round = 0; round < 2; ++round) {
      EXPECT_EQ(ids.find(firstFunctionId | referenceMark), ids.find(firstFunctionId));
      EXPECT_EQ(ids.find(firstFunctionId | importMark), ids.find(firstFunctionId));
      EXPECT_EQ(ids.find(firstFunctionId | importMark | referenceMark), ids.find(firstFunctionId));
    }
    EXPECT_TRUE((*known)[ids.find(firstFunctionId)].isImported);
    EXPECT_FALSE((*known)[ids.find(firstFunctionId + 1)].isImported);
    EXPECT_TRUE(known->hasCallKinds());
  }
  EXPECT_EQ(nameOf(*table, 1, 16777217 | importMark), "has such an id");
  EXPECT_EQ(nameOf(*table, 1, 16777300 | referenceMark), "unknown function 16777300");
  EXPECT_EQ(table->unknownIds(), 1u);
  // Neither below the first id nor far above it is there anything to leave out.
  for (int32_t id : {referenceMark | 5, 0x1400000, 0x40000000 | referenceMark, INT32_MAX - 3})
    EXPECT_EQ(nameOf(*table, 1, id), "unknown function " + std::to_string(id));
  // Only where functions that the array has are met are there places for their marks.
  EXPECT_LE(table->idsOf(1).marked().size(), 3 * table->idsOf(1).dense().size());
}

TEST_F(MappingTest, leavesTheNamesOfSectionsToTheRecord) {
  RecordHeader header;
  header.modules.resize(3);
  for (size_t i = 0; i < 3; ++i) {
    header.modules[i].id = i + 1;
    header.modules[i].name = "of the record";
    header.modules[i].addFunction(16777216, "of the record");
  }
  write("app.map", "16777216 of the file\n");
  for (StringRef text : {StringRef("16777216 of the file\n"),
                         StringRef("[{\"moduleId\": 1, \"mappingFile\": \"app.map\"}]")}) {
    RecordHeader whole = header;
    auto table = load(text);
    ASSERT_TRUE(table) << error_;
    header.declareTo(*table);
    for (auto [module, name] : {std::pair(0, "load"), std::pair(1, "parse")}) {
      RecordedModule &named = header.modules[size_t(module)];
      named.addFunction(firstSectionId + module, name);
      table->declareModule(size_t(module), named, ArrayRef(named.functions).take_back());
    }
    EXPECT_EQ(nameOf(*table, 1, firstSectionId), "load");
    EXPECT_EQ(nameOf(*table, 2, firstSectionId + 1), "parse");
    EXPECT_EQ(table->unknownIds(), 0u);
    EXPECT_EQ(nameOf(*table, 1, 16777216), "of the file");
    EXPECT_EQ(table->mappedModuleName(2), "");
    EXPECT_EQ(table->mappedModuleName(3), "");
    header = whole;
  }
}

TEST_F(MappingTest, distinguishesKinds) {
  auto table = load("16777216 main\n16777217 f\n");
  ASSERT_TRUE(table);
  table->showCallKinds();
  FunctionIds &ids = table->idsOf(1);
  FunctionIndex f = ids.find(16777217);
  FunctionIndex byReference = ids.find(16777217 | referenceMark);
  EXPECT_EQ((*table)[f].name, "f");
  EXPECT_EQ((*table)[byReference].name, "f [reference]");
  EXPECT_EQ((*table)[byReference].id, 16777217);
  EXPECT_EQ(ids.find(16777217 | referenceMark), byReference);
  EXPECT_EQ(ids.find(16777217 | importMark), f);
  FunctionIndex byHost = table->enteredBy(CallKind::host, byReference);
  EXPECT_EQ((*table)[byHost].name, "f [host]");
  EXPECT_EQ(table->enteredBy(CallKind::host, f), byHost);
  EXPECT_EQ(table->enteredBy(CallKind::direct, byHost), f);
  // They are one function of the mapping.
  EXPECT_EQ(table->functionsOf(1).size(), 2u);
}

TEST(FunctionTable, makesOnePseudoFunctionAName) {
  FunctionTable table;
  FunctionIndex lost = table.pseudoFunction("[lost]");
  EXPECT_EQ(table.pseudoFunction("[lost]"), lost);
  EXPECT_NE(table.pseudoFunction("(other)"), lost);
  // What says where calls ran is apart from what else has its name.
  FunctionIndex phase = table.pseudoFunction("[lost]", "phase");
  EXPECT_NE(phase, lost);
  EXPECT_NE(phase, table.pseudoFunction("[lost]", "thread"));
  EXPECT_EQ(phase, table.pseudoFunction("[lost]", "phase"));
  EXPECT_EQ(table[phase].attribute, "phase");
  EXPECT_EQ(table[lost].id, 0);
}

} // namespace
