//===- ChildProcessTest.cpp -----------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Support/ChildProcess.h"
#include "gtest/gtest.h"
#include <fcntl.h>
#include <unistd.h>

using namespace llvm;
using namespace warpo;

namespace {

ChildEnd runScript(std::string script, std::vector<ChildProcess::Descriptor> descriptors = {}) {
  ChildProcess child;
  child.program = "/bin/sh";
  child.arguments = {"sh", "-c", std::move(script)};
  child.descriptors = std::move(descriptors);
  auto end = runChild(child);
  EXPECT_TRUE(bool(end)) << toString(end.takeError());
  return end ? std::move(*end) : ChildEnd();
}

TEST(ChildProcess, AnswersAndEnds) {
  ChildEnd end = runScript("printf 'a\\nb' >&3; exit 7");
  EXPECT_EQ(end.answer, "a\nb");
  EXPECT_EQ(end.exitCode, 7);
  EXPECT_EQ(end.description, "exit code 7");

  end = runScript("kill -9 $$");
  EXPECT_EQ(end.answer, "");
  EXPECT_EQ(end.exitCode, -1);
  EXPECT_EQ(end.description, "signal 9 (Killed)");
}

// Also where the number that the child shall see is one of ours already.
TEST(ChildProcess, GetsDescriptors) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  ASSERT_EQ(write(ends[1], "to the child\n", 13), 13);
  int other = open("/dev/null", O_RDONLY);
  ChildEnd end = runScript("read line; echo \"$line\" >&3; read line <&4 || echo nothing >&3",
                           {{ends[0], STDIN_FILENO}, {other, ChildProcess::answerDescriptor + 1}});
  EXPECT_EQ(end.answer, "to the child\nnothing\n");
  close(ends[0]);
  close(ends[1]);
  close(other);
}

TEST(ChildProcess, CannotBeStarted) {
  ChildProcess child;
  child.program = "/nowhere/program";
  child.arguments = {"program"};
  auto end = runChild(child);
  ASSERT_FALSE(bool(end));
  EXPECT_EQ(toString(end.takeError()), "/nowhere/program: no such file or directory");
}

TEST(ChildProcess, FindsWhatIsInstalled) {
  auto found = findInstalledFile("unittests/Support/SupportTests");
  ASSERT_TRUE(bool(found)) << toString(found.takeError());
  auto absent = findInstalledFile("share/warpo/absent");
  ASSERT_FALSE(bool(absent));
  EXPECT_TRUE(StringRef(toString(absent.takeError()))
                  .starts_with("no share/warpo/absent in any folder above /"));
}

TEST(ChildProcess, WordsBecomeAMessage) {
  EXPECT_EQ(asMessage(""), "");
  EXPECT_EQ(asMessage("\n a\r\n\n  b\t\n"), "a b");
  EXPECT_EQ(asMessage("\x1b[31m\x1b[1mred\x1b[0m end\x1b[0"), "red end");
  EXPECT_EQ(asMessage(std::string(1000, 'x')), std::string(300, 'x') + "...");
}

} // namespace
