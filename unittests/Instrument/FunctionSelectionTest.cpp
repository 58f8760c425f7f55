//===- FunctionSelectionTest.cpp ------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Instrument/FunctionSelection.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace warpo;

namespace {

// Function 0 is imported from `env`, 1 from `builtin`, 2 and 3 are defined: of one instruction, and
// of three.
wasm::Module makeModule() {
  static const uint8_t one[] = {0, 0x0b};
  static const uint8_t three[] = {0, 1, 1, 0x0b};
  wasm::Module module;
  module.fileName = "m";
  module.imports = {{"env", "f"}, {"builtin", "f"}};
  module.functionImports = {0, 1};
  module.functionTypes = {0, 0, 0, 0};
  module.bodies = {{one, 0}, {three, 0}};
  return module;
}

struct Case {
  const char *description;
  SelectionOptions options;
  uint32_t function;
  const char *name;
  Selection expected;
};

const Case cases[] = {
    {"default", {}, 2, "f", Selection::taken},
    {"default", {}, 2, "~lib/f", Selection::library},
    {"compiler", {}, 2, "~stack_check", Selection::library},
    {"compiler", {}, 2, "~setArgumentsLength", Selection::library},
    {"compiler", {}, 2, "a/f@varargs", Selection::library},
    {"compiler", {}, 2, "a/A#f@override", Selection::library},
    {"compiler", {}, 2, "export:a/f", Selection::library},
    {"compiler, all", {{}, {}, true, 0}, 2, "~stack_check", Selection::taken},
    {"compiler, included", {{"*@override"}, {}, false, 0}, 2, "a/A#f@override", Selection::taken},
    {"the program's statements", {}, 2, "~start", Selection::taken},
    {"a function within a function", {}, 2, "a/f~anonymous|0", Selection::taken},
    {"a module called export, in Rust", {}, 2, "export::f", Selection::taken},
    {"imports of the library are kept", {}, 0, "~lib/f", Selection::taken},
    {"builtin", {}, 1, "f", Selection::builtin},
    {"builtin, always", {{"*"}, {}, true, 0}, 1, "f", Selection::builtin},
    {"all", {{}, {}, true, 0}, 2, "~lib/f", Selection::taken},
    {"include", {{"a*", "b"}, {}, false, 0}, 2, "b", Selection::taken},
    {"include", {{"a*", "b"}, {}, false, 0}, 2, "bb", Selection::notIncluded},
    {"include holds for imports", {{"a*"}, {}, false, 0}, 0, "b", Selection::notIncluded},
    {"include is not widened by all", {{"a*"}, {}, true, 0}, 2, "b", Selection::notIncluded},
    {"include takes the library",
     {{"~lib/map*"}, {}, false, 0},
     2,
     "~lib/map#get",
     Selection::taken},
    {"exclude", {{}, {"a?c"}, false, 0}, 2, "abc", Selection::excluded},
    {"exclude beats include", {{"abc"}, {"a?c"}, true, 0}, 2, "abc", Selection::excluded},
    {"exclude holds for imports", {{}, {"a*"}, false, 0}, 0, "abc", Selection::excluded},
    {"brackets to the letter", {{"a<b>[0]"}, {}, false, 0}, 2, "a<b>[0]", Selection::taken},
    {"size", {{}, {}, false, 2}, 2, "f", Selection::small},
    {"size", {{}, {}, false, 3}, 3, "f", Selection::taken},
    {"size", {{}, {}, false, 4}, 3, "f", Selection::small},
    {"imports have no size", {{}, {}, false, 9}, 0, "f", Selection::taken},
};

TEST(FunctionSelection, Selects) {
  wasm::Module module = makeModule();
  for (const Case &test : cases) {
    SCOPED_TRACE(std::string(test.description) + ": " + test.name);
    auto selection = FunctionSelection::create(test.options);
    ASSERT_TRUE(bool(selection)) << toString(selection.takeError());
    auto selected = selection->select(module, test.function, test.name);
    ASSERT_TRUE(bool(selected)) << toString(selected.takeError());
    EXPECT_EQ(*selected, test.expected);
  }
}

} // namespace
