// SPDX-License-Identifier: Apache-2.0
// The host functions of engines in this process, called on a small memory.
#include "GuestHost.h"

#include "gtest/gtest.h"
#include <unistd.h>

using namespace warpo;

namespace {

constexpr uint64_t success = 0, badFile = 8, invalid = 28, overflow = 61;

/// A program's memory of 256 bytes, and calls of host functions on it.
class Guest {
public:
  explicit Guest(RunRequest request = {}) : host_(request), memory_(256, 0xee) {}

  uint64_t wasi(llvm::StringRef name, std::vector<uint64_t> arguments) {
    return call("wasi_snapshot_preview1", name, std::move(arguments));
  }
  uint64_t call(llvm::StringRef module, llvm::StringRef name, std::vector<uint64_t> arguments) {
    const HostFunction *function = GuestHost::find(module, name);
    if (!function) {
      ADD_FAILURE() << name.str();
      return UINT64_MAX;
    }
    EXPECT_EQ(function->type.split(':').first.size(), arguments.size()) << name.str();
    HostCall hostCall{arguments, GuestMemory(memory_)};
    end = function->call(host_, hostCall);
    return hostCall.result;
  }
  void put(uint32_t address, uint32_t value) { GuestMemory(memory_).write(address, value); }
  uint32_t get(uint32_t address) { return *GuestMemory(memory_).read<uint32_t>(address); }
  std::string text(uint32_t address, uint32_t size) {
    return std::string(memory_.begin() + address, memory_.begin() + address + size);
  }
  /// An AssemblyScript string object.
  void putString(uint32_t address, std::u16string_view text) {
    put(address - 4, uint32_t(text.size() * 2));
    for (char16_t unit : text) {
      memory_[address++] = uint8_t(unit);
      memory_[address++] = uint8_t(unit >> 8);
    }
  }

  std::optional<GuestEnd> end;

private:
  GuestHost host_;
  std::vector<uint8_t> memory_;
};

TEST(GuestHost, MemoryIsChecked) {
  std::vector<uint8_t> bytes(8);
  GuestMemory memory(bytes);
  EXPECT_TRUE(memory.range(0, 8));
  EXPECT_TRUE(memory.range(8, 0));
  EXPECT_FALSE(memory.range(9, 0));
  EXPECT_FALSE(memory.range(1, 8));
  EXPECT_FALSE(memory.range(1, UINT64_MAX));
  EXPECT_TRUE(memory.write<uint32_t>(4, 1));
  EXPECT_FALSE(memory.write<uint32_t>(5, 1));
  EXPECT_FALSE(memory.read<uint64_t>(1));
}

TEST(GuestHost, KnowsItsFunctionsByModule) {
  EXPECT_NE(GuestHost::find("wasi_snapshot_preview1", "fd_write"), nullptr);
  EXPECT_EQ(GuestHost::find("wasi_unstable", "fd_write"),
            GuestHost::find("wasi_snapshot_preview1", "fd_write"));
  EXPECT_NE(GuestHost::find("env", "abort"), nullptr);
  EXPECT_EQ(GuestHost::find("env", "fd_write"), nullptr);
  EXPECT_EQ(GuestHost::find("wasi_snapshot_preview1", "proc_raise"), nullptr);
  EXPECT_EQ(GuestHost::find("builtin", "tracePoint"), nullptr);
}

TEST(GuestHost, ArgumentsAndEnvironment) {
  RunRequest request;
  request.app = "/some/folder/app.wasm";
  request.arguments = {"x", ""};
  request.environment = {{"A", "b=c"}};
  Guest guest(request);
  EXPECT_EQ(guest.wasi("args_sizes_get", {0, 4}), success);
  EXPECT_EQ(guest.get(0), 3u);
  EXPECT_EQ(guest.get(4), 12u);
  EXPECT_EQ(guest.wasi("args_get", {16, 100}), success);
  EXPECT_EQ(guest.get(16), 100u);
  EXPECT_EQ(guest.get(20), 109u);
  EXPECT_EQ(guest.get(24), 111u);
  EXPECT_EQ(guest.text(100, 13), std::string("app.wasm\0x\0\0\xee", 13));
  EXPECT_EQ(guest.wasi("environ_sizes_get", {0, 4}), success);
  EXPECT_EQ(guest.get(0), 1u);
  EXPECT_EQ(guest.wasi("environ_get", {16, 100}), success);
  EXPECT_EQ(guest.text(100, 6), std::string("A=b=c\0", 6));
  EXPECT_EQ(guest.wasi("args_get", {16, 250}), overflow);
  EXPECT_EQ(guest.wasi("args_get", {254, 0}), overflow);
  EXPECT_EQ(guest.wasi("args_sizes_get", {0, 253}), overflow);
}

TEST(GuestHost, WritesRangesToAStream) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  int before = dup(STDOUT_FILENO);
  dup2(ends[1], STDOUT_FILENO);
  Guest guest;
  guest.put(0, 100);
  guest.put(4, 3);
  guest.put(8, 108);
  guest.put(12, 2);
  guest.put(100, 0x00636261);
  guest.put(108, 0x00006564);
  uint64_t written = guest.wasi("fd_write", {1, 0, 2, 16});
  dup2(before, STDOUT_FILENO);
  close(before);
  close(ends[1]);
  char bytes[16];
  ssize_t size = read(ends[0], bytes, sizeof(bytes));
  EXPECT_EQ(std::string(bytes, size_t(std::max<ssize_t>(size, 0))), "abcde");
  close(ends[0]);
  EXPECT_EQ(written, success);
  EXPECT_EQ(guest.get(16), 5u);
}

TEST(GuestHost, WrongStreamsAndAddresses) {
  Guest guest;
  guest.put(0, 250);
  guest.put(4, 7);
  EXPECT_EQ(guest.wasi("fd_write", {1, 0, 1, 16}), overflow) << "a range that ends outside";
  EXPECT_EQ(guest.wasi("fd_write", {1, 252, 1, 16}), overflow) << "a list that ends outside";
  EXPECT_EQ(guest.wasi("fd_write", {1, 0, 0, 254}), overflow) << "a result outside";
  EXPECT_EQ(guest.wasi("fd_write", {1, 0, 0xffffffff, 16}), overflow) << "a list without end";
  EXPECT_EQ(guest.wasi("fd_write", {3, 0, 0, 16}), badFile);
  EXPECT_EQ(guest.wasi("fd_seek", {3, 0, 0, 16}), badFile);
  EXPECT_EQ(guest.wasi("fd_prestat_get", {3, 0}), badFile);
  EXPECT_EQ(guest.wasi("fd_fdstat_get", {1, 240}), overflow);
  EXPECT_EQ(guest.wasi("clock_time_get", {9, 0, 0}), invalid);
  EXPECT_EQ(guest.wasi("clock_time_get", {1, 0, 252}), overflow);
  EXPECT_EQ(guest.wasi("random_get", {250, 7}), overflow);
}

TEST(GuestHost, ClocksAndRandomNumbersChange) {
  Guest guest;
  EXPECT_EQ(guest.wasi("clock_time_get", {1, 0, 0}), success);
  uint32_t first = guest.get(0);
  EXPECT_EQ(guest.wasi("clock_time_get", {1, 0, 0}), success);
  EXPECT_NE(guest.get(0), first);
  EXPECT_EQ(guest.wasi("random_get", {100, 16}), success);
  std::string random = guest.text(100, 16);
  EXPECT_EQ(guest.wasi("random_get", {100, 16}), success);
  EXPECT_NE(guest.text(100, 16), random);
}

TEST(GuestHost, FixedWorldIsTheSameForEachProgram) {
  RunRequest request;
  request.deterministic = true;
  for (int run = 0; run < 2; ++run) {
    Guest guest(request);
    EXPECT_EQ(guest.wasi("clock_time_get", {1, 0, 0}), success);
    EXPECT_EQ(guest.get(0), 1000000u);
    EXPECT_EQ(guest.wasi("clock_time_get", {3, 0, 0}), success);
    EXPECT_EQ(guest.get(0), 2000000u);
    EXPECT_EQ(guest.wasi("clock_time_get", {4, 0, 0}), invalid);
    EXPECT_EQ(guest.wasi("clock_res_get", {4, 0}), invalid);
    EXPECT_EQ(guest.wasi("random_get", {100, 10}), success);
    EXPECT_EQ(guest.text(100, 11), "\xaf\xcd\x1d\x7b\x39\xa8\x20\xe2\xf4\x65\xee");
  }
}

TEST(GuestHost, EndsOfPrograms) {
  Guest guest;
  guest.wasi("proc_exit", {3});
  ASSERT_TRUE(guest.end);
  EXPECT_EQ(guest.end->exitCode, 3);
  guest.call("env", "process.exit", {4});
  EXPECT_EQ(guest.end->exitCode, 4);
  struct {
    const char *name;
    std::u16string_view message;
    uint32_t file;
    const char *text;
  } cases[] = {
      {"without a message", u"", 0, "abort"},
      {"with a message", u"bad", 0, "bad"},
      {"with a place", u"bad", 64, "bad at a.ts:12:5"},
      {"beyond one byte", u"\u00e9\u20ac\U0001f600", 0, "\u00e9\u20ac\U0001f600"},
      {"half a pair", std::u16string_view(u"x\xd800y"), 0, "x\ufffdy"},
      {"half a pair at the end", std::u16string_view(u"x\xd83d"), 0, "x\ufffd"},
  };
  guest.putString(64, u"a.ts");
  for (const auto &test : cases) {
    guest.putString(128, test.message);
    guest.call("env", "abort", {test.message.empty() ? 0u : 128u, test.file, 12, 5});
    ASSERT_TRUE(guest.end) << test.name;
    EXPECT_EQ(guest.end->exitCode, std::nullopt) << test.name;
    EXPECT_EQ(guest.end->message, test.text) << test.name;
  }
  guest.put(124, 1000);
  guest.call("env", "abort", {128, 2, 12, 5});
  EXPECT_EQ(guest.end->message,
            "(a string outside of the memory) at (a string outside of the memory):12:5");
}

} // namespace
