//===- ModuleEditorTest.cpp - What the rewriter moves, adds and keeps -----===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Wasm/ModuleEditor.h"
#include "TestModule.h"
#include "warpo/Wasm/CodeTraits.h"
#include "llvm/Support/LEB128.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace warpo;
using namespace warpo::wasm;
using namespace warpo::test;

namespace {

using Edit = std::function<void(uint32_t, FunctionEdit &)>;

Expected<std::string> rewrite(
    ArrayRef<uint8_t> bytes, function_ref<void(ModuleEditor &)> add,
    Edit edit = [](uint32_t, FunctionEdit &) {}) {
  Expected<Module> module = readModule(bytes, "m");
  if (!module)
    return module.takeError();
  ModuleEditor editor(*module);
  add(editor);
  SmallVector<uint8_t, 0> out;
  auto statistics = editor.write(edit, out);
  if (!statistics)
    return statistics.takeError();
  return hexOf(out);
}

void addProbe(ModuleEditor &editor) { editor.importFunction("b", "p", ValueType::i32, {}); }

void insertProbe(uint32_t, FunctionEdit &edit) {
  FunctionRef probe{FunctionRef::addedImport, 0};
  edit.entry.i32Const(1).call(probe);
  edit.exit.i32Const(-1).call(probe);
}

const std::string oneType = section(1, "01 60 00 00");
const std::string oneFunction = section(3, "01 00");

struct Case {
  const char *name;
  std::vector<std::string> before;
  std::vector<std::string> after;
};

// Each is rewritten with one more imported function and code at entries and exits.
const Case cases[] = {
    {"nothing", {}, {section(1, "01 60 01 7f 00"), section(2, "01 'b' 'p' 00 00")}},
    {"only custom sections",
     {section(0, "'dylink.0' 01")},
     {section(1, "01 60 01 7f 00"), section(2, "01 'b' 'p' 00 00"), section(0, "'dylink.0' 01")}},
    {"the type is there",
     {section(1, "02 60 00 00 60 01 7f 00")},
     {section(1, "02 60 00 00 60 01 7f 00"), section(2, "01 'b' 'p' 00 01")}},
    {"a type with subtypes is another",
     {section(1, "01 50 00 60 01 7f 00")},
     {section(1, "02 50 00 60 01 7f 00 60 01 7f 00"), section(2, "01 'b' 'p' 00 01")}},
    {"a type in a group of several is another",
     {section(1, "01 4e 02 60 01 7f 00 60 00 00")},
     {section(1, "02 4e 02 60 01 7f 00 60 00 00 60 01 7f 00"), section(2, "01 'b' 'p' 00 02")}},
    {"a type below another is another",
     {section(1, "02 50 00 60 01 7f 00 4f 01 00 60 01 7f 00")},
     {section(1, "03 50 00 60 01 7f 00 4f 01 00 60 01 7f 00 60 01 7f 00"),
      section(2, "01 'b' 'p' 00 02")}},
    {"a group of one is the type",
     {section(1, "01 4e 01 4f 00 60 01 7f 00")},
     {section(1, "01 4e 01 4f 00 60 01 7f 00"), section(2, "01 'b' 'p' 00 00")}},
    {"a function",
     {oneType, oneFunction, section(10, "01 02 00 0b")},
     {section(1, "02 60 00 00 60 01 7f 00"), section(2, "01 'b' 'p' 00 01"), oneFunction,
      section(10, "01 0a 00 41 01 10 00 41 7f 10 00 0b")}},
    {"locals come before the entry",
     {oneType, oneFunction, section(10, "01 04 01 01 7f 0b")},
     {section(1, "02 60 00 00 60 01 7f 00"), section(2, "01 'b' 'p' 00 01"), oneFunction,
      section(10, "01 0c 01 01 7f 41 01 10 00 41 7f 10 00 0b")}},
    {"calls, exports, start, names",
     {section(1, "01 60 00 00"), section(2, "01 'm' 'i' 00 00"), oneFunction,
      section(7, "02 'i' 00 00 'f' 00 01"), section(8, "01"),
      section(10, "01 06 00 10 00 10 01 0b"),
      section(0, "'name' 01 07 02 00 'i' 01 'f' 02 06 01 01 01 00 'x'")},
     {section(1, "02 60 00 00 60 01 7f 00"), section(2, "02 'm' 'i' 00 00 'b' 'p' 00 01"),
      oneFunction, section(7, "02 'i' 00 00 'f' 00 02"), section(8, "02"),
      section(10, "01 0e 00 41 01 10 01 10 00 10 02 41 7f 10 01 0b"),
      section(0, "'name' 01 0c 03 00 'i' 01 'b.p' 02 'f' 02 06 01 02 01 00 'x'")}},
    {"tables, globals, elements, data",
     {oneType, oneFunction, section(4, "01 40 00 70 00 01 d2 00 0b"), section(5, "01 00 01"),
      section(6, "01 70 00 d2 00 0b"), section(9, "02 00 41 00 0b 01 00 05 70 01 d2 00 0b"),
      section(12, "01"), section(10, "01 04 00 d2 00 0b"), section(11, "01 00 41 00 0b 'x'")},
     {section(1, "02 60 00 00 60 01 7f 00"), section(2, "01 'b' 'p' 00 01"), oneFunction,
      section(4, "01 40 00 70 00 01 d2 01 0b"), section(5, "01 00 01"),
      section(6, "01 70 00 d2 01 0b"), section(9, "02 00 41 00 0b 01 01 05 70 01 d2 01 0b"),
      section(12, "01"), section(10, "01 0c 00 41 01 10 00 d2 01 41 7f 10 00 0b"),
      section(11, "01 00 41 00 0b 'x'")}},
    {"a block around the body is its first label",
     {oneType, oneFunction, section(10, "01 07 00 02 40 0c 01 0b 0b"),
      section(0, "'name' 03 06 01 00 01 00 'l' 04 04 01 00 't'")},
     {section(1, "02 60 00 00 60 01 7f 00"), section(2, "01 'b' 'p' 00 01"), oneFunction,
      section(10, "01 12 00 41 01 10 00 02 40 02 40 0c 01 0b 0b 41 7f 10 00 0b"),
      section(0, "'name' 03 06 01 01 01 01 'l' 04 04 01 00 't'")}},
    {"hints move with their instructions",
     {oneType, oneFunction, section(0, "'metadata.code.branch_hint' 01 00 03 00 00 03 'x' 06 'y'"),
      section(10, "01 0a 00 01 01 41 00 04 40 0f 0b 0b")},
     {section(1, "02 60 00 00 60 01 7f 00"), section(2, "01 'b' 'p' 00 01"), oneFunction,
      section(0, "'metadata.code.branch_hint' 01 01 03 00 00 07 'x' 0a 'y'"),
      section(10, "01 16 00 41 01 10 00 01 01 41 00 04 40 41 7f 10 00 0f 0b 41 7f 10 00 0b")}},
    {"several sections of hints",
     {section(0, "'metadata.code.inline' 00"), oneType, oneFunction,
      section(0, "'metadata.code.instr_freq' 01 00 01 01 'x'"),
      section(0, "'metadata.code.inline' 00"), section(10, "01 03 00 01 0b")},
     {section(0, "'metadata.code.inline' 00"), section(1, "02 60 00 00 60 01 7f 00"),
      section(2, "01 'b' 'p' 00 01"), oneFunction,
      section(0, "'metadata.code.instr_freq' 01 01 01 05 'x'"),
      section(0, "'metadata.code.inline' 00"),
      section(10, "01 0b 00 41 01 10 00 01 41 7f 10 00 0b")}},
    {"hints move with a block around the body",
     {oneType, oneFunction, section(0, "'metadata.code.branch_hint' 01 00 01 03 'x'"),
      section(10, "01 06 00 41 00 0d 00 0b")},
     {section(1, "02 60 00 00 60 01 7f 00"), section(2, "01 'b' 'p' 00 01"), oneFunction,
      section(0, "'metadata.code.branch_hint' 01 01 01 09 'x'"),
      section(10, "01 11 00 41 01 10 00 02 40 41 00 0d 00 0b 41 7f 10 00 0b")}},
    {"targets of calls are functions",
     {oneType, oneFunction,
      section(0, "'metadata.code.call_targets' 01 00 02 01 04 00 32 00 0a  02 00"),
      section(10, "01 04 00 01 01 0b")},
     {section(1, "02 60 00 00 60 01 7f 00"), section(2, "01 'b' 'p' 00 01"), oneFunction,
      section(0, "'metadata.code.call_targets' 01 01 02 05 04 01 32 01 0a  06 00"),
      section(10, "01 0c 00 41 01 10 00 01 01 41 7f 10 00 0b")}},
    {"targets of calls that are imported, and padded",
     {oneType, section(2, "01 'm' 'i' 00 00"), oneFunction,
      section(0, "'metadata.code.call_targets' 01 01 01 01 06 80 00 28 81 00 3c"),
      section(10, "01 03 00 01 0b")},
     {section(1, "02 60 00 00 60 01 7f 00"), section(2, "02 'm' 'i' 00 00 'b' 'p' 00 01"),
      oneFunction, section(0, "'metadata.code.call_targets' 01 02 01 05 04 00 28 02 3c"),
      section(10, "01 0b 00 41 01 10 01 01 41 7f 10 01 0b")}},
    {"what hints nobody knows is left out",
     {section(0, "'metadata.code.new' 00"), oneType},
     {section(1, "02 60 00 00 60 01 7f 00"), section(2, "01 'b' 'p' 00 01")}},
};

TEST(ModuleEditor, Rewrites) {
  for (const Case &test : cases) {
    SCOPED_TRACE(test.name);
    Expected<std::string> result = rewrite(moduleOf(test.before), addProbe, insertProbe);
    ASSERT_TRUE(bool(result)) << toString(result.takeError());
    EXPECT_EQ(*result, hexOf(moduleOf(test.after)));
  }
}

// Labels follow their blocks past the blocks of inserted code, wherever that is.
TEST(ModuleEditor, LabelsFollowTheirBlocks) {
  // loop br 1 (out of the function) end; block return end; block end
  Bytes bytes = moduleOf({oneType, oneFunction,
                          section(10, "01 0e 00 03 40 0c 01 0b 02 40 0f 0b 02 40 0b 0b"),
                          section(0, "'name' 03 0c 01 00 03 00 'a' 01 'b' 02 'c'")});
  auto insertBlocks = [](uint32_t, FunctionEdit &edit) {
    edit.entry.raw({0x02, 0x40, 0x0b});
    edit.exit.raw({0x02, 0x40, 0x02, 0x40, 0x0b, 0x0b});
  };
  Expected<std::string> result = rewrite(bytes, [](ModuleEditor &) {}, insertBlocks);
  ASSERT_TRUE(bool(result)) << toString(result.takeError());
  // Entry, the block around the body, a, b, two of the exit, c.
  EXPECT_NE(
      result->find(
          hexOf(moduleOf({section(0, "'name' 03 0c 01 00 03 02 'a' 03 'b' 06 'c'")})).substr(16)),
      std::string::npos)
      << *result;
}

TEST(ModuleEditor, CopiesWhatIsNotChanged) {
  // A padded index stays as it is.
  Bytes bytes = moduleOf({oneType, oneFunction, section(10, "01 08 00 10 80 80 80 80 00 0b")});
  Expected<std::string> result = rewrite(bytes, [](ModuleEditor &) {});
  ASSERT_TRUE(bool(result)) << toString(result.takeError());
  EXPECT_EQ(*result, hexOf(bytes));
}

TEST(ModuleEditor, AddsGlobalsAndThunks) {
  Bytes bytes = moduleOf({oneType, section(2, "02 'm' 'i' 00 00 'm' 'g' 03 7f 00")});
  GlobalRef added;
  Expected<std::string> result = rewrite(
      bytes,
      [&](ModuleEditor &editor) {
        added = editor.addGlobal(ValueType::i64, true, -1);
        EXPECT_EQ(editor.finalIndex(editor.addThunk(0, true)), 1u);
        editor.addCustomSection("end", {1, 2});
      },
      [&](uint32_t function, FunctionEdit &edit) {
        EXPECT_EQ(function, 0u);
        edit.entry.globalGet(added).globalSet(added);
      });
  ASSERT_TRUE(bool(result)) << toString(result.takeError());
  EXPECT_EQ(*result, hexOf(moduleOf({oneType, section(2, "02 'm' 'i' 00 00 'm' 'g' 03 7f 00"),
                                     oneFunction, section(6, "01 7e 01 42 7f 0b"),
                                     section(10, "01 08 00 23 01 24 01 10 00 0b"),
                                     section(0, "'end' 01 02")})));
}

// A section of any size.
void appendSection(Bytes &module, uint8_t id, const Bytes &contents) {
  module.push_back(id);
  uint8_t size[10];
  module.insert(module.end(), size, size + encodeULEB128(contents.size(), size));
  module.insert(module.end(), contents.begin(), contents.end());
}

// Three functions of a megabyte each, whose labels are left by branches and have names, and hints
// for an instruction of each. `opcode` stands in the middle of the last two.
Bytes largeModule(uint8_t opcode) {
  Bytes module = moduleOf({oneType, section(3, "03 00 00 00"),
                           section(0, "'metadata.code.branch_hint' 03 00 01 0a 01 00 01 01 8080 04 "
                                      "01 01 02 01 0b 01 00")});
  Bytes code = {3};
  for (unsigned i = 0; i != 3; ++i) {
    Bytes body = bytesOf("00 02 40 0c 01 0b");
    body.resize(1200000 + i, 0x01);
    if (i)
      body[700000] = opcode;
    body.push_back(0x0b);
    uint8_t size[10];
    code.insert(code.end(), size, size + encodeULEB128(body.size(), size));
    code.insert(code.end(), body.begin(), body.end());
  }
  appendSection(module, 10, code);
  Bytes names = bytesOf(section(0, "'name' 03 10 03 00 01 00 'a' 01 01 00 'b' 02 01 00 'c'"));
  module.insert(module.end(), names.begin(), names.end());
  return module;
}

TEST(ModuleEditor, TheSameOnAnyNumberOfThreads) {
  auto rewriteOn = [](ArrayRef<uint8_t> bytes, unsigned threads) {
    return rewrite(
        bytes,
        [=](ModuleEditor &editor) {
          addProbe(editor);
          editor.setThreads(threads);
        },
        insertProbe);
  };
  Bytes bytes = largeModule(0x01);
  Expected<std::string> alone = rewriteOn(bytes, 1);
  ASSERT_TRUE(bool(alone)) << toString(alone.takeError());
  for (unsigned threads : {0u, 2u, 3u, 100u}) {
    SCOPED_TRACE(threads);
    Expected<std::string> together = rewriteOn(bytes, threads);
    ASSERT_TRUE(bool(together)) << toString(together.takeError());
    EXPECT_TRUE(*together == *alone);
  }
  // The first of two errors.
  Bytes damaged = largeModule(0xff);
  std::string error = toString(rewriteOn(damaged, 1).takeError());
  EXPECT_NE(error.find("0xff"), std::string::npos) << error;
  EXPECT_EQ(toString(rewriteOn(damaged, 3).takeError()), error);
}

TEST(ModuleEditor, ReplacesSections) {
  auto replace = [](ModuleEditor &editor) {
    editor.addCustomSection("end", {1});
    editor.replaceCustomSection("url", {2, 3});
  };
  const std::pair<std::vector<std::string>, std::vector<std::string>> cases[] = {
      {{section(0, "'url' 05"), oneType, section(0, "'url' 06"), section(0, "'x'")},
       {section(0, "'url' 02 03"), oneType, section(0, "'x'"), section(0, "'end' 01")}},
      {{oneType, section(0, "'x'")},
       {oneType, section(0, "'x'"), section(0, "'url' 02 03"), section(0, "'end' 01")}},
  };
  for (const auto &[before, after] : cases) {
    Expected<std::string> result = rewrite(moduleOf(before), replace);
    ASSERT_TRUE(bool(result)) << toString(result.takeError());
    EXPECT_EQ(*result, hexOf(moduleOf(after)));
  }
}

// A place inside of a padded number that becomes shorter does not pass what follows.
TEST(ModuleEditor, TellsWhereCodeHasGone) {
  Bytes bytes =
      moduleOf({oneType, oneFunction, section(10, "01 0b 00 01 10 80 80 80 80 00 0c 00 0b")});
  Expected<Module> module = readModule(bytes, "m");
  ASSERT_TRUE(bool(module)) << toString(module.takeError());
  ModuleEditor editor(*module);
  addProbe(editor);
  SmallVector<uint8_t, 0> out;
  CodeMovements movements;
  auto statistics = editor.write(insertProbe, out, &movements);
  ASSERT_TRUE(bool(statistics)) << toString(statistics.takeError());
  // 00 41 01 10 00 02 40 01 10 01 0c 00 0b 41 7f 10 00 0b
  std::string moved;
  for (uint32_t offset = 0; offset != 12; ++offset)
    moved += std::to_string(movements.newOffset(0, offset)) + " ";
  EXPECT_EQ(moved, "0 7 8 9 10 10 10 10 10 11 17 18 ");
}

// Rewrites a function of which the instrumentation says what is in it, if it `isKnown`.
std::string rewriteKnown(StringRef code, bool isKnown, bool catches) {
  auto edit = [&](ModuleEditor &editor) {
    if (catches)
      editor.catchExceptions(ExceptionForm::legacy);
    editor.editCode([=](uint32_t, CodeInsertions &insertions) {
      insertions.at(3).i32Const(2).raw(0x1a);
      insertions.at(1).i32Const(1).raw(0x1a);
      insertions.at(1, /*isBeforeRun=*/true).i32Const(0).raw(0x1a);
      if (isKnown)
        insertions.setTraits(code_traits::mayThrow);
    });
  };
  auto unwind = [](uint32_t, FunctionEdit &edit) { edit.exceptionExit.raw(0x01); };
  auto result = rewrite(moduleOf({oneType, oneFunction, section(10, code)}), edit, unwind);
  return result ? *result : toString(result.takeError());
}

TEST(ModuleEditor, CopiesKnownCodeBlindly) {
  const char *call = "01 06 00 10 00 01 01 0b";
  for (bool catches : {false, true})
    EXPECT_EQ(rewriteKnown(call, true, catches), rewriteKnown(call, false, catches));
  EXPECT_NE(rewriteKnown(call, true, true), rewriteKnown(call, true, false));
  EXPECT_EQ(rewriteKnown(call, true, false),
            hexOf(moduleOf({oneType, oneFunction,
                            section(10, "01 0f 00 41 00 1a 41 01 1a 10 00 41 02 1a 01 01 0b")})));
  const char *unknown = "01 06 00 10 07 01 01 0b";
  EXPECT_EQ(rewriteKnown(unknown, false, false), "m:0x18: function 7, but the module has only 1");
  EXPECT_EQ(rewriteKnown(unknown, true, false),
            hexOf(moduleOf({oneType, oneFunction,
                            section(10, "01 0f 00 41 00 1a 41 01 1a 10 07 41 02 1a 01 01 0b")})));
}

TEST(ModuleEditor, InsertsSharedCode) {
  CodeSequence shared;
  auto edit = [&](ModuleEditor &editor) {
    shared.globalGet(editor.addGlobals(3, ValueType::i32, true, 0)).raw(0x1a);
    editor.editCode([&](uint32_t, CodeInsertions &insertions) {
      insertions.insert(2, shared, 1);
      insertions.insert(1, shared, 2);
      insertions.at(1).raw(0x01);
      insertions.insert(1, shared, 0);
    });
  };
  auto result = rewrite(moduleOf({oneType, oneFunction, section(10, "01 04 00 01 01 0b")}), edit);
  ASSERT_TRUE(bool(result)) << toString(result.takeError());
  EXPECT_EQ(*result,
            hexOf(moduleOf({oneType, oneFunction,
                            section(6, "03 7f 01 41 00 0b 7f 01 41 00 0b 7f 01 41 00 0b"),
                            section(10, "01 0e 00 23 02 1a 01 23 00 1a 01 23 01 1a 01 0b")})));
}

TEST(ModuleEditor, SharesImports) {
  Expected<Module> module = readModule(moduleOf({}), "m");
  ASSERT_TRUE(bool(module)) << toString(module.takeError());
  ModuleEditor editor(*module);
  FunctionRef first = editor.importFunction("b", "p", ValueType::i32, {});
  FunctionRef other = editor.importFunction("b", "q", ValueType::i32, {});
  FunctionRef again = editor.importFunction("b", "p", ValueType::i32, {});
  EXPECT_EQ(editor.finalIndex(first), 0u);
  EXPECT_EQ(editor.finalIndex(other), 1u);
  EXPECT_EQ(editor.finalIndex(again), 0u);
}

TEST(ModuleEditor, AddsATable) {
  const std::string type = section(1, "01 60 00 00"), added = "6f 01 04 04";
  const struct {
    std::vector<std::string> before, after;
    uint32_t index;
  } tables[] = {
      {{}, {section(4, "01 " + added)}, 0},
      {{section(4, "01 70 00 01")}, {section(4, "02 70 00 01 " + added)}, 1},
      {{type, section(2, "02 'm' 't' 01 70 00 01 'm' 'i' 00 00"), section(5, "01 00 01")},
       {type, section(2, "02 'm' 't' 01 70 00 01 'm' 'i' 00 00"), section(4, "01 " + added),
        section(5, "01 00 01")},
       1},
  };
  for (const auto &test : tables) {
    std::optional<uint32_t> index;
    auto result =
        rewrite(moduleOf(test.before), [&](ModuleEditor &editor) { index = editor.addTable(4); });
    ASSERT_TRUE(bool(result));
    EXPECT_EQ(*result, hexOf(moduleOf(test.after)));
    EXPECT_EQ(index, test.index);
  }
}

// An import from outside stands before what the module defines: so that no index changes, that is
// imported too.
TEST(ModuleEditor, ImportsAMemory) {
  const std::string events = "'b' 'events' 02 03 01 80 80 04 ";
  auto withMemory = [](const char *type) {
    return moduleOf({section(5, std::string("01 ") + type), section(7, "01 'm' 02 00")});
  };
  auto import = [](uint32_t expected) {
    return [=](ModuleEditor &editor) {
      EXPECT_EQ(cantFail(editor.importMemory("b", "events")), expected);
      EXPECT_TRUE(errorToBool(editor.addMemory("other", 1, {}).takeError()));
    };
  };
  EXPECT_EQ(cantFail(rewrite(moduleOf({}), import(0))),
            hexOf(moduleOf({section(2, "01 " + events)})));
  const std::pair<const char *, const char *> names[] = {{"00 10", "memory 16"},
                                                         {"01 01 80 02", "memory 1 256"},
                                                         {"03 02 03", "memory 2 3 shared"},
                                                         {"05 00 01", "memory 0 1 i64"}};
  for (const auto &[type, name] : names)
    EXPECT_EQ(
        cantFail(rewrite(withMemory(type), import(1))),
        hexOf(moduleOf({section(2, "02 'b' '" + std::string(name) + "' 02 " + type + " " + events),
                        section(5, "00"), section(7, "01 'm' 02 00")})));
  auto refused = [](ModuleEditor &editor) {
    EXPECT_TRUE(errorToBool(editor.importMemory("b", "events").takeError()));
  };
  // Two memories; pages of another size; more pages than JavaScript makes.
  for (const char *memories : {"02 00 01 00 01", "01 08 01 00", "01 05 01 81 80 10"})
    EXPECT_EQ(cantFail(rewrite(moduleOf({section(5, memories)}), refused)),
              hexOf(moduleOf({section(5, memories)})));
}

// The size of a body and of the section grow by a byte when they pass 127.
TEST(ModuleEditor, SizesGrow) {
  std::string body = "00";
  for (unsigned i = 0; i != 122; ++i)
    body += "01";
  Bytes bytes = moduleOf({oneType, oneFunction, section(10, "01 7c" + body + "0b")});
  Expected<std::string> result = rewrite(bytes, addProbe, insertProbe);
  ASSERT_TRUE(bool(result)) << toString(result.takeError());
  StringRef tail = StringRef(*result).take_back(2 * (2 + 1 + 1 + 2 + 132));
  EXPECT_EQ(tail.take_front(30), "0a8701018401004101100001010101");
}

// Function 127 becomes 128, whose number takes a byte more: in calls, exports, names, sizes.
TEST(ModuleEditor, IndicesGrow) {
  const unsigned count = 128;
  auto build = [&](const std::string &last, bool rewritten) {
    std::string functions = "03 82 01 80 01", bodies;
    for (unsigned i = 0; i != count; ++i) {
      functions += "00";
      bodies += (rewritten ? "05 00 10" : "04 00 10") + last + "0b";
    }
    unsigned size = unsigned(bytesOf(bodies).size()) + 2;
    std::string types = rewritten ? section(1, "02 60 00 00 60 01 7f 00") : oneType;
    std::string imports = rewritten ? section(2, "01 'b' 'p' 00 01") : "";
    return bytesOf("0061736d 01000000" + types + imports + functions +
                   section(7, "01 'e' 00" + last) + section(8, last) + "0a" +
                   hexOf({uint8_t(size | 0x80), uint8_t(size >> 7)}) + "80 01" + bodies +
                   section(0, "'name' 01" + std::string(rewritten ? "0a 02 00 'b.p'" : "04 01") +
                                  last + "'l'"));
  };
  Expected<std::string> result = rewrite(build("7f", false), addProbe);
  ASSERT_TRUE(bool(result)) << toString(result.takeError());
  EXPECT_EQ(*result, hexOf(build("80 01", true)));
}

// Indices that are padded to five bytes become shorter where they change, and so do the sizes.
TEST(ModuleEditor, SizesShrink) {
  std::string body = "00", shorter = "00";
  for (unsigned i = 0; i != 21; ++i) {
    body += "10 80 80 80 80 00";
    shorter += "10 01";
  }
  Bytes bytes =
      bytesOf("0061736d01000000" + oneType + oneFunction + "0a 83 01 01 80 01" + body + "0b");
  Expected<std::string> result = rewrite(bytes, addProbe);
  ASSERT_TRUE(bool(result)) << toString(result.takeError());
  EXPECT_EQ(*result,
            hexOf(moduleOf({section(1, "02 60 00 00 60 01 7f 00"), section(2, "01 'b' 'p' 00 01"),
                            oneFunction, section(10, "01 2c" + shorter + "0b")})));
}

struct BadCase {
  const char *name;
  std::vector<std::string> sections;
  const char *message;
};

const BadCase badCases[] = {
    {"call of no function",
     {oneType, oneFunction, section(10, "01 04 00 10 07 0b")},
     "m:0x18: function 7, but the module has only 1"},
    {"start of no function", {section(8, "01")}, "m:0xa: function 1, but the module has only 0"},
    {"element of no function",
     {section(9, "01 01 00 01 05")},
     "m:0xe: function 5, but the module has only 0"},
    {"kind of elements", {section(9, "01 08 00 00")}, "m:0xb: unknown kind of element segment 0x8"},
    {"kind of data", {section(11, "01 03 00")}, "m:0xb: unknown kind of data segment 0x3"},
    {"count of data",
     {section(11, "ff ff ff ff 0f")},
     "m:0xf: count 4294967295, but 0 bytes are left"},
    {"body goes on",
     {oneType, oneFunction, section(10, "01 03 00 0b 01")},
     "m:0x18: code after the end of the function"},
    {"body ends early",
     {oneType, oneFunction, section(10, "01 02 00 01")},
     "m:0x18: unexpected end: 1 byte wanted, 0 left"},
    {"global expression", {section(6, "01 7f 00 ff 0b")}, "m:0xd: unknown opcode 0xff"},
    {"object file",
     {section(0, "'linking' 02")},
     "m:0x8: section 'linking': an object file, not a module: link it first"},
    {"hints for an import",
     {oneType, section(2, "01 'm' 'i' 00 00"), section(0, "'metadata.code.inline' 01 00 00")},
     "m:0x2f: hints for function 0, which has no code"},
    {"bytes behind the last hint",
     {oneType, oneFunction, section(0, "'metadata.code.branch_hint' 00 ff ee"),
      section(10, "01 03 00 01 0b")},
     "m:0x2f: 2 bytes left over at the end of the section"},
    {"target that is no function",
     {oneType, oneFunction, section(0, "'metadata.code.call_targets' 01 00 01 01 02 05 64"),
      section(10, "01 03 00 01 0b")},
     "m:0x34: function 5, but the module has only 1"},
    {"target without percentage",
     {oneType, oneFunction, section(0, "'metadata.code.call_targets' 01 00 01 01 01 00"),
      section(10, "01 03 00 01 0b")},
     "m:0x35: unexpected end: 1 byte wanted, 0 left"},
};

TEST(ModuleEditor, RefusesWithThePlace) {
  for (const BadCase &test : badCases) {
    SCOPED_TRACE(test.name);
    Expected<std::string> result = rewrite(moduleOf(test.sections), addProbe, insertProbe);
    ASSERT_FALSE(bool(result)) << *result;
    EXPECT_EQ(toString(result.takeError()), test.message);
  }
}

} // namespace
