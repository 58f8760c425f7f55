//===- OrderListTest.cpp - Which functions a list means -------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "OrderText.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace warpo;
using namespace warpo::test;

namespace {

// func 0 is the import; 2 and 4 share a name; 3 has none.
OrderModule testModule() {
  return moduleOf({{"main"},
                   {"twin"},
                   {""},
                   {"twin"},
                   {"Array<i32>#push"},
                   {"#lead"},
                   {"a\nb"},
                   {"func[1]"},
                   {"func[12"},
                   {" spaced "}});
}

Expected<ResolvedOrder> resolve(StringRef text, const OrderModule &module) {
  auto list = readOrderList(inputOf(text, "app.order"));
  if (!list)
    return list.takeError();
  return resolveOrder(*list, module);
}

std::string summaryOf(const ResolvedOrder &order) {
  std::string text;
  for (uint32_t function : order.functions)
    text += std::to_string(function) + " ";
  for (const OrderProblem &problem : order.problems)
    text += "| " + problem.message + " ";
  return text;
}

TEST(OrderList, LinesMeanFunctions) {
  struct Case {
    const char *name;
    const char *text;
    const char *expected;
  } cases[] = {
      {"empty", "", ""},
      {"names", "Array<i32>#push\nmain\n", "5 1 "},
      {"no end of the last line", "main", "1 "},
      {"comments, empty lines, spaces, CR", "# main\n\n  main \r\n#main\n", "1 "},
      {"indices", "func[3]\nfunc[1]\n", "3 1 "},
      {"index and name", "func[2] twin\nfunc[4]   twin\n", "2 4 "},
      {"index and shown name", "func[7] a b\nfunc[10] spaced\n", "7 10 "},
      {"a name like an index is one", "func[1]\n", "1 "},
      {"not quite an index", "func[12\n", "9 "},
      {"unknown", "nobody\nmain\n", "1 | app.order:1: no function is called 'nobody' "},
      {"unknown index", "func[99]\n", "| app.order:1: there is no function 99, the module has 11 "},
      {"other name", "func[1] mian\n", "| app.order:1: function 1 is called 'main', not 'mian' "},
      {"ambiguous", "twin\n",
       "| app.order:1: 2 functions are called 'twin', the first is func[2] "},
      {"repeated", "main\nfunc[3]\nfunc[1]\n", "1 3 | app.order:3: 'main' is in line 1 already "},
      {"imported", "env.host\n", "| app.order:1: 'env.host' is imported and has no code "},
      {"index out of 32 bits", "func[99999999999]\n",
       "| app.order:1: no function is called 'func[99999999999]' "},
  };
  OrderModule module = testModule();
  for (const Case &c : cases) {
    SCOPED_TRACE(c.name);
    auto order = resolve(c.text, module);
    ASSERT_TRUE(bool(order)) << toString(order.takeError());
    EXPECT_EQ(summaryOf(*order), c.expected);
  }
}

TEST(OrderList, WrittenListsResolveToTheSame) {
  OrderModule module = testModule();
  std::vector<uint32_t> functions = {10, 9, 8, 7, 6, 5, 4, 3, 2, 1};
  std::string text;
  raw_string_ostream os(text);
  writeOrderList(os, module, functions);
  auto order = resolve(text, module);
  ASSERT_TRUE(bool(order)) << toString(order.takeError());
  EXPECT_EQ(order->functions, functions) << text;
  EXPECT_TRUE(order->problems.empty()) << order->problems.front().message;
}

TEST(OrderList, FunctionsAreNamedWhereNamesFindThem) {
  OrderModule module = testModule();
  const char *expected[] = {"env.host",      "main",           "func[2] twin",
                            "func[3]",       "func[4] twin",   "Array<i32>#push",
                            "func[6] #lead", "func[7] a b",    "func[8] func[1]",
                            "func[12",       "func[10] spaced"};
  for (uint32_t function = 0; function != module.size(); ++function)
    EXPECT_EQ(orderLine(module, function), expected[function]);
}

TEST(OrderList, AnotherModuleIsRefused) {
  OrderModule module = testModule();
  OrderModule other = moduleOf({{"main"}});
  std::string text;
  raw_string_ostream os(text);
  writeOrderList(os, module, {1});
  auto order = resolve(text, other);
  ASSERT_FALSE(bool(order));
  EXPECT_EQ(toString(order.takeError()), "app.order: is an order of another module (hash " +
                                             toHex(module.hash(), true) + ") than app.wasm (hash " +
                                             toHex(other.hash(), true) + ")");
}

TEST(OrderList, DamagedDirectivesAreRefused) {
  std::string hash = toHex(testModule().hash(), true);
  struct Case {
    const char *name;
    std::string line;
    const char *expected;
  } cases[] = {
      {"too short", "#! module 12", "the module's hash is not one of 64 hexadecimal digits"},
      {"no digits", "#! module zz", "the module's hash is not one of 64 hexadecimal digits"},
      {"too long", "#! module " + hash + "0",
       "the module's hash is not one of 64 hexadecimal digits"},
      {"cut off behind the word", "#! module", "'#! module' is no '#! module hash'"},
      {"cut off within the word", "  #! mod", "'#! mod' is no '#! module hash'"},
      {"without the space", "#!module 12", "'#!module 12' is no '#! module hash'"},
      {"another", "#! record 12", "'#! record 12' is no '#! module hash'"},
  };
  for (const Case &c : cases) {
    SCOPED_TRACE(c.name);
    auto order = resolve("main\n" + c.line + "\n", testModule());
    ASSERT_FALSE(bool(order));
    EXPECT_EQ(toString(order.takeError()), std::string("app.order:2: ") + c.expected);
  }
}

TEST(OrderList, OneModuleIsTheOnlyOne) {
  std::string hash = "#! module " + toHex(testModule().hash(), true) + "\n";
  EXPECT_TRUE(bool(resolve(hash + hash + "main\n", testModule())));
  auto order = resolve(hash + "#! module " + std::string(64, '0') + "\n", testModule());
  ASSERT_FALSE(bool(order));
  EXPECT_EQ(toString(order.takeError()),
            "app.order:2: the module's hash differs from that in an earlier line");
}

} // namespace
