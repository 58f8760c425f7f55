//===- GuestThreadTest.cpp ------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "native/GuestThread.h"
#include "gtest/gtest.h"
#include <sys/mman.h>

using namespace llvm;
using namespace warpo;

namespace {

/// How the body ended: `returned`, or the message with which it left.
std::string endOf(GuestThread &thread, function_ref<void()> body) {
  auto returned = thread.run(body);
  if (!returned)
    return toString(returned.takeError());
  return *returned ? "returned" : thread.message();
}

std::unique_ptr<GuestThread> makeThread() {
  auto thread = GuestThread::create();
  EXPECT_TRUE(bool(thread)) << toString(thread.takeError());
  return std::move(*thread);
}

volatile int sink = 0;

__attribute__((noinline)) void recurse(volatile char *above) {
  volatile char frame[1000];
  frame[0] = *above;
  // Always, but the compiler cannot know.
  if (sink != -1)
    recurse(frame);
  sink = frame[0];
}

TEST(GuestThread, EndsByReturnOrByLeaving) {
  auto thread = makeThread();
  EXPECT_EQ(endOf(*thread, [] { sink = 1; }), "returned");
  EXPECT_EQ(sink, 1);
  EXPECT_EQ(endOf(*thread, [] { GuestThread::leave("enough"); }), "enough");
  EXPECT_EQ(endOf(*thread, [] {}), "returned");
}

TEST(GuestThread, AFaultInReservedMemoryEndsIt) {
  auto thread = makeThread();
  uint8_t *memory = thread->reserve(1 << 20);
  ASSERT_NE(memory, nullptr);
  ASSERT_EQ(mprotect(memory, 1 << 16, PROT_READ | PROT_WRITE), 0);
  EXPECT_EQ(endOf(*thread, [=] { memory[(1 << 16) - 1] = 1; }), "returned");
  EXPECT_EQ(endOf(*thread, [=] { memory[1 << 16] = 1; }), "out of bounds memory access");
  EXPECT_EQ(endOf(*thread, [=] { sink = memory[(1 << 20) - 1]; }), "out of bounds memory access");
}

TEST(GuestThread, TheEndOfTheStackEndsIt) {
  auto thread = makeThread();
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(endOf(*thread,
                    [] {
                      volatile char first = 0;
                      recurse(&first);
                    }),
              "call stack exhausted");
  }
  uintptr_t limit = thread->stackLimit(), here = 0;
  // The address of a local variable may be elsewhere (AddressSanitizer).
  auto body = [&] { here = reinterpret_cast<uintptr_t>(__builtin_frame_address(0)); };
  EXPECT_EQ(endOf(*thread, body), "returned");
  EXPECT_GT(here, limit);
}

TEST(GuestThread, AnAttemptEndsAlone) {
  auto thread = makeThread();
  uint8_t *memory = thread->reserve(1 << 16);
  std::vector<std::string> ends;
  auto attempt = [&](function_ref<void()> body) {
    const char *message = GuestThread::attempt(body);
    ends.push_back(message ? message : "returned");
  };
  EXPECT_EQ(endOf(*thread,
                  [&] {
                    attempt([] { sink = 1; });
                    attempt([] { GuestThread::leave("enough"); });
                    attempt([=] { memory[0] = 1; });
                    attempt([&] { attempt([] { GuestThread::leave("inner"); }); });
                    attempt([] {
                      volatile char first = 0;
                      recurse(&first);
                    });
                    GuestThread::leave("the end");
                  }),
            "the end");
  EXPECT_EQ(ends, (std::vector<std::string>{"returned", "enough", "out of bounds memory access",
                                            "inner", "returned", "call stack exhausted"}));
}

TEST(GuestThread, RunsAlone) {
  auto thread = makeThread(), other = makeThread();
  std::string end;
  EXPECT_EQ(endOf(*thread, [&] { end = endOf(*other, [] {}); }), "returned");
  EXPECT_EQ(end, "another program is running in this process");
  EXPECT_EQ(endOf(*other, [] {}), "returned");
}

TEST(GuestThreadDeathTest, OtherFaultsAreNotItsOwn) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_DEATH(
      {
        auto thread = makeThread();
        void *page = mmap(nullptr, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        endOf(*thread, [=] { *static_cast<volatile char *>(page) = 1; });
      },
      "");
}

} // namespace
