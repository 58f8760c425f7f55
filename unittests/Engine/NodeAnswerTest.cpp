// SPDX-License-Identifier: Apache-2.0
// Reports of the host script: what is understood, and what is refused.
#include "NodeAnswer.h"

#include "gtest/gtest.h"

using namespace warpo;

namespace {

RunResult parse(llvm::StringRef text) {
  auto result = parseNodeAnswer(text);
  if (result)
    return std::move(*result);
  ADD_FAILURE() << text.str() << ": " << llvm::toString(result.takeError());
  return RunResult();
}

TEST(NodeAnswer, AnExit) {
  RunResult result = parse(R"({"exitCode": 258, "instrumented": true, "runNanoseconds": "1500",
      "record": {"written": 4294967296, "lostToLimit": 2, "lostToFailure": 3, "error": "full"}})");
  EXPECT_EQ(result.exitCode, 2);
  EXPECT_FALSE(result.trap);
  EXPECT_TRUE(result.instrumented);
  EXPECT_EQ(result.runNanoseconds, 1500u);
  EXPECT_EQ(result.recorded, 4294967296u);
  EXPECT_EQ(result.lostToLimit, 2u);
  EXPECT_EQ(result.lostToFailure, 3u);
  EXPECT_EQ(result.recordError, "full");
}

TEST(NodeAnswer, Artifacts) {
  const char *text = R"({"exitCode": 0, "artifacts": [
      {"format": "a", "extension": ".x", "description": "one", "size": 2},
      {"format": "b", "extension": "", "description": "two", "size": 1}],
      "artifactProblems": ["three"]})";
  auto result = parseNodeAnswer(text, "abc");
  ASSERT_TRUE(bool(result)) << llvm::toString(result.takeError());
  ASSERT_EQ(result->artifacts.size(), 2u);
  EXPECT_EQ(result->artifacts[0].format, "a");
  EXPECT_EQ(result->artifacts[0].extension, ".x");
  EXPECT_EQ(result->artifacts[0].bytes, "ab");
  EXPECT_EQ(result->artifacts[1].description, "two");
  EXPECT_EQ(result->artifacts[1].bytes, "c");
  EXPECT_EQ(result->artifactProblems, std::vector<std::string>{"three"});
  // More than the file holds.
  auto damaged = parseNodeAnswer(text, "ab");
  EXPECT_FALSE(bool(damaged));
  llvm::consumeError(damaged.takeError());
}

TEST(NodeAnswer, Results) {
  RunResult result = parse(R"({"exitCode": 0, "instrumented": false, "results": [
      {"type": "i64", "bits": "18446744073709551615"}, {"type": "reference", "bits": ""}]})");
  ASSERT_EQ(result.results.size(), 2u);
  EXPECT_EQ(result.results[0].type, ValueType::i64);
  EXPECT_EQ(result.results[0].bits, UINT64_MAX);
  EXPECT_EQ(result.results[1].type, ValueType::other);
  EXPECT_FALSE(result.instrumented);
}

TEST(NodeAnswer, ATrap) {
  RunResult result = parse(R"({"trap": {"message": "unreachable", "stack": [
      {"name": "b", "function": 7, "offset": 80}, {"function": 3, "offset": 21}]},
      "openCalls": [{"module": "18446744073709551615", "id": 16777216}]})");
  ASSERT_TRUE(result.trap);
  EXPECT_EQ(result.trap->message, "unreachable");
  ASSERT_EQ(result.trap->stack.size(), 2u);
  EXPECT_EQ(result.trap->stack[0].name, "b");
  EXPECT_EQ(result.trap->stack[0].function, 7u);
  EXPECT_EQ(result.trap->stack[0].offset, 80u);
  EXPECT_EQ(result.trap->stack[1].name, "");
  ASSERT_EQ(result.trap->openCalls.size(), 1u);
  EXPECT_EQ(result.trap->openCalls[0].module, UINT64_MAX);
  EXPECT_EQ(result.trap->openCalls[0].id, 16777216);
}

TEST(NodeAnswer, AFailureIsAnErrorWithItsMessage) {
  auto result = parseNodeAnswer(R"({"failure": "a.wasm: no such file"})");
  EXPECT_EQ(llvm::toString(result.takeError()), "a.wasm: no such file");
}

TEST(NodeAnswer, OtherShapesAreRefused) {
  for (llvm::StringRef text :
       {"", "[]", "{", "{}", R"({"exitCode": "0"})", R"({"exitCode": 0, "results": 1})",
        R"({"exitCode": 0, "results": [{"type": "i32", "bits": 1}]})",
        R"({"exitCode": 0, "record": {"written": 1}})",
        R"({"exitCode": 0, "record": {"written": 1, "lostToLimit": 0, "lostToFailure": 0,
            "sections": {"neverEnded": 1}}})",
        R"({"trap": {"message": "m", "stack": [1]}})",
        R"({"trap": {"message": "m"}, "openCalls": [{"module": "x", "id": 1}]})"}) {
    auto result = parseNodeAnswer(text);
    EXPECT_FALSE(bool(result)) << text.str();
    llvm::consumeError(result.takeError());
  }
}

} // namespace
