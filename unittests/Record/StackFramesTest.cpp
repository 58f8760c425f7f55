//===- StackFramesTest.cpp - Frames of stacks that know where they were ---===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Places/ModulePlaces.h"
#include "warpo/Record/FunctionTable.h"
#include "llvm/ADT/StringExtras.h"
#include <gtest/gtest.h>

using namespace llvm;
using namespace warpo;

namespace {

constexpr int32_t runId = firstFunctionId, helpId = firstFunctionId + 1;
constexpr uint64_t moduleId = 7;

/// run at 10 to 40, with `insert` inlined from 20 on and `find` in that from 25 to 30; help at 40.
ModulePlaces somePlaces() {
  ModulePlaces places;
  places.files = {"./app.c", "table.h"};
  places.names = {"insert", "_Z4findi"};
  places.inlinees = {{1, 1, 3}, {2, 2, 1}};
  FunctionPlaces run, help;
  run.id = runId;
  run.file = 1;
  run.line = 9;
  run.start = 10;
  run.size = 30;
  run.calls = {{0, 1, 1, 12}, {1, 2, 1, 5}};
  run.changes = {{20, 1}, {25, 2}, {30, 1}, {35, 0}};
  run.rows = {{12, 1, 10}, {20, 1, 4}, {25, 2, 2}, {27, 0, 0}, {30, 1, 6}, {36, 1, 13}};
  help.index = 1;
  help.id = helpId;
  help.file = 1;
  help.line = 20;
  help.start = 40;
  help.size = 5;
  places.functions = {run, help};
  return places;
}

/// A table that knows two functions, and the stack of one frame.
struct Stacks {
  void declare(int32_t id, uint32_t offset, uint64_t module = moduleId) {
    table.declareStack(1, {.id = id, .moduleId = module, .offset = offset});
  }
  void declarePlaces(ModulePlaces places) {
    auto read = readPlaces(toStringRef(encodePlaces(std::move(places)).bytes));
    module.places = std::make_shared<const SourcePlaces>(cantFail(std::move(read)));
    table.declarePlaces(0, module);
  }
  Stacks() {
    module.id = moduleId;
    module.addFunction(runId, "run");
    module.addFunction(helpId, "help");
    table.declareModule(0, module, module.functions);
  }
  /// `run@app.c:12 insert [inlined]@app.c:4`, outermost first.
  std::string frames(uint32_t stack = 1) {
    std::string text;
    for (FunctionIndex index : table.framesOf(stack)) {
      const Function &function = table[index];
      text += (text.empty() ? "" : " ") + function.name.str();
      if (function.executedLine)
        text += ("@" + function.executedFile + ":" + Twine(function.executedLine)).str();
    }
    return text;
  }

  FunctionTable table;
  RecordedModule module;
};

struct Case {
  const char *name;
  int32_t id;
  uint32_t offset;
  const char *frames;
  const char *lines;
  const char *folded;
  uint64_t stray = 0;
};

const Case cases[] = {
    {"no offset", runId, 0, "run", "run", "run"},
    {"the function's own code", runId, 12, "run", "run@app.c:10", "run@app.c:10"},
    {"in front of the first row", runId, 11, "run", "run", "run"},
    {"inlined code", runId, 24, "run insert [inlined]", "run@app.c:12 insert [inlined]@app.c:4",
     "run@app.c:12"},
    {"in each other", runId, 25, "run insert [inlined] _Z4findi [inlined]",
     "run@app.c:12 insert [inlined]@app.c:5 _Z4findi [inlined]@table.h:2", "run@app.c:12"},
    {"of no line", runId, 28, "run insert [inlined] _Z4findi [inlined]",
     "run@app.c:12 insert [inlined]@app.c:5 _Z4findi [inlined]", "run@app.c:12"},
    {"behind a callee", runId, 32, "run insert [inlined]", "run@app.c:12 insert [inlined]@app.c:6",
     "run@app.c:12"},
    {"the last byte", runId, 39, "run", "run@app.c:13", "run@app.c:13"},
    {"without any row", helpId, 41, "help", "help", "help"},
    {"another function's code", runId, 41, "run", "run", "run", 1},
    {"behind all code", helpId, 45, "help", "help", "help"},
    {"far behind", helpId, UINT32_MAX, "help", "help", "help"},
};

TEST(StackFrames, AreThoseOfThePlaces) {
  for (const Case &each : cases) {
    SCOPED_TRACE(each.name);
    for (bool placesFirst : {false, true}) {
      Stacks plain, lines, folded, plainFolded;
      lines.table.showLines();
      folded.table.showLines();
      folded.table.foldInlined();
      plainFolded.table.foldInlined();
      for (Stacks *stacks : {&plain, &lines, &folded, &plainFolded}) {
        if (placesFirst)
          stacks->declarePlaces(somePlaces());
        stacks->declare(each.id, each.offset);
        if (!placesFirst)
          stacks->declarePlaces(somePlaces());
      }
      EXPECT_EQ(plain.frames(), each.frames);
      EXPECT_EQ(lines.frames(), each.lines);
      EXPECT_EQ(folded.frames(), each.folded);
      EXPECT_EQ(plainFolded.frames(), each.id == runId ? "run" : "help");
      EXPECT_EQ(plain.table.strayOffsets(), each.stray);
      EXPECT_EQ(plain.frames(), each.frames) << "asked again";
      EXPECT_EQ(plain.table.strayOffsets(), each.stray);
    }
  }
}

TEST(StackFrames, KnowTheirFunctionsPlaces) {
  Stacks stacks;
  stacks.declarePlaces(somePlaces());
  stacks.declare(runId, 25);
  const Function &find = stacks.table[stacks.table.framesOf(1)[2]];
  EXPECT_TRUE(find.isInlined);
  EXPECT_EQ(find.file, "table.h");
  EXPECT_EQ(find.line, 1U);
  EXPECT_EQ(find.module, stacks.table[stacks.table.framesOf(1)[0]].module);
  EXPECT_EQ(find.id, 0);
}

TEST(StackFrames, AreTheSameFunctionsAtAllPlaces) {
  Stacks stacks;
  stacks.declarePlaces(somePlaces());
  stacks.declare(runId, 22);
  stacks.declare(runId, 32);
  EXPECT_EQ(stacks.table.framesOf(1), stacks.table.framesOf(2));
}

TEST(StackFrames, AreRenamed) {
  Stacks stacks;
  stacks.table.renameFunctions([](StringRef name) { return "<" + name.str() + ">"; });
  stacks.declarePlaces(somePlaces());
  stacks.declare(runId, 20);
  EXPECT_EQ(stacks.frames(), "<run> <insert [inlined]>");
}

TEST(StackFrames, OfAModuleWithoutPlacesAreWhatTheyAre) {
  Stacks stacks;
  stacks.declarePlaces(somePlaces());
  stacks.declare(runId, 25, /*module=*/8);
  EXPECT_EQ(stacks.table.framesOf(1).size(), 1U);
  EXPECT_EQ(stacks.table.strayOffsets(), 0U);
}

} // namespace
