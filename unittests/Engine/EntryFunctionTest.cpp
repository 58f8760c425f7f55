//===- EntryFunctionTest.cpp ----------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "EntryFunction.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace warpo;

namespace {

const ExportedFunction start{"_start", {}}, mainFunction{"main", {}},
    add{"add", {ValueType::i32, ValueType::f64}};

TEST(EntryFunction, IsFoundByItsName) {
  struct {
    std::vector<ExportedFunction> functions;
    std::string invoke;
    std::vector<std::string> arguments;
    bool hasStart;
    /// The name of the function, `-` for none, or the error.
    std::string expected;
  } cases[] = {
      {{mainFunction, start}, "", {}, false, "_start"},
      {{add, mainFunction}, "", {}, true, "main"},
      {{start, add}, "add", {"1", "2"}, true, "add"},
      {{add}, "", {}, true, "-"},
      {{},
       "",
       {},
       false,
       "app.wasm: exports neither _start nor main and has no start function; "
       "its functions are: none"},
      {{start, add},
       "sub",
       {},
       true,
       "app.wasm: exports no function 'sub'; its functions are: _start, add"},
      {{add}, "add", {"1"}, true, "add takes 2 arguments (i32, f64), --arg gives 1"},
  };
  for (auto &test : cases) {
    RunRequest request;
    request.app = "app.wasm";
    request.invoke = test.invoke;
    request.invokeArguments = test.arguments;
    auto entry = findEntry(request, test.functions, test.hasStart);
    if (!entry) {
      EXPECT_EQ(toString(entry.takeError()), test.expected);
      continue;
    }
    EXPECT_EQ(*entry ? test.functions[(*entry)->function].name : "-", test.expected);
    if (*entry) {
      EXPECT_EQ((*entry)->arguments.size(), test.arguments.size());
    }
  }
}

} // namespace
