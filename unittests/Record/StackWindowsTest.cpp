//===- StackWindowsTest.cpp - Ids of several modules on one stack ---------===//
// SPDX-License-Identifier: Apache-2.0

#include "RecordText.h"
#include "warpo/Record/FunctionTable.h"
#include "warpo/Recorder/record_blocks.h"
#include "warpo/Support/SectionId.h"
#include <gtest/gtest.h>

using namespace llvm;
using namespace warpo;
using namespace warpo::test;

namespace {

using Added = StackWindows::Added;

TEST(StackWindows, refusesWhatOverlapsOrReachesOtherIds) {
  StackWindows windows;
  EXPECT_EQ(windows.add({7, 100, 1000, 10}), Added::isNew);
  struct {
    ModuleWindow window;
    Added expected;
  } cases[] = {
      {{7, 100, 1000, 10}, Added::isKnown},
      {{7, 100, 1000, 11}, Added::isRefused},
      {{8, 100, 1000, 10}, Added::isRefused},
      {{8, 100, 1009, 1}, Added::isRefused},
      {{8, 100, 995, 6}, Added::isRefused},
      {{8, 100, 900, 1000}, Added::isRefused},
      {{8, 100, 2000, 0}, Added::isRefused},
      {{8, 0, 2000, 1}, Added::isRefused},
      {{8, 1, 0, 1}, Added::isRefused},
      {{8, -1, 2000, 1}, Added::isRefused},
      {{8, INT32_MAX, 2000, 2}, Added::isRefused},
      {{8, 1, 2000, UINT32_MAX}, Added::isRefused},
      {{8, 1, firstSectionId, 1}, Added::isRefused},
      {{8, 1, firstSectionId - 1, 2}, Added::isRefused},
      {{8, 1, firstSectionId - 1, 1}, Added::isNew},
      {{8, 100, 995, 5}, Added::isNew},
      {{8, INT32_MAX, 1010, 1}, Added::isNew},
  };
  for (const auto &[window, expected] : cases)
    EXPECT_EQ(windows.add(window), expected) << window.first << ", " << window.count;
  EXPECT_EQ(windows.find(999), 2u);
  EXPECT_EQ(windows.find(1000), 0u);
  EXPECT_EQ(windows.find(1009), 0u);
  EXPECT_EQ(windows.find(1010), 3u);
  EXPECT_EQ(windows.find(1011), std::nullopt);
  EXPECT_EQ(windows.find(994), std::nullopt);
  EXPECT_EQ(windows.idOf(8, 104), 999);
  EXPECT_EQ(windows.idOf(8, 105), 0);
  EXPECT_EQ(windows.idOf(7, 109), 1009);
}

TEST(StackWindows, areSoMany) {
  StackWindows windows;
  for (int32_t i = 1; i <= int32_t(StackWindows::maxWindows); ++i)
    EXPECT_EQ(windows.add({1, 1, i, 1}), Added::isNew);
  EXPECT_EQ(windows.add({1, 1, 1 << 20, 1}), Added::isRefused);
  EXPECT_EQ(windows.add({1, 1, 5, 1}), Added::isKnown);
}

/// A record of modules 300 and 301 with a stream of the first one.
class StreamRecord {
public:
  explicit StreamRecord(const char *signature) : bytes_(signature, warpo_signature_size) {
    for (uint64_t number : {0, 1}) {
      warpo_module_fields module{number, 300 + number, {}, {}, {}};
      put([&](warpo_block *block) { warpo_begin_module(block, &module, 0); });
    }
  }
  void declare(ArrayRef<warpo_window> windows) {
    warpo_stream_fields stream{0, 0, 1};
    put([&](warpo_block *block) {
      warpo_begin_stream(block, &stream, warpo_text_from("s"));
      if (!windows.empty())
        warpo_begin_windows(block);
      for (const warpo_window &window : windows)
        warpo_add_window(block, &window);
    });
  }
  void addSignature(const char *signature) { bytes_.append(signature, warpo_signature_size); }
  void end() {
    put([&](warpo_block *block) { warpo_begin_end(block, 0, 0, 0); });
  }
  /// The windows that a reader knows at the end, and what it noted.
  std::string read() const {
    auto reader = openBytes(bytes_);
    if (!reader)
      return toString(reader.takeError());
    std::string text;
    raw_string_ostream os(text);
    RecordBatch batch;
    std::vector<std::string> notes;
    while (true) {
      auto more = (*reader)->next(batch);
      if (!more)
        return toString(more.takeError());
      if (!*more)
        break;
      for (const RecordNote &note : batch.notes)
        notes.push_back(describe(note, {}));
    }
    for (const StreamInfo &stream : (*reader)->header().streams)
      for (const ModuleWindow &window : stream.windows.declared())
        os << window.moduleId << ':' << window.id << '>' << window.first << 'x' << window.count
           << ' ';
    for (const std::string &note : notes)
      os << '{' << note << '}';
    return text;
  }

private:
  template <typename F> void put(F fill) {
    uint8_t bytes[512];
    warpo_block block = warpo_block_in(bytes, sizeof(bytes));
    fill(&block);
    size_t size = warpo_finish_block(&block);
    bytes_.append(reinterpret_cast<char *>(bytes), size);
  }
  std::string bytes_;
};

constexpr int32_t first = warpo_first_id;

TEST(StackWindows, areReadAsFarAsTheyMakeSense) {
  struct {
    std::vector<warpo_window> windows;
    const char *expected;
  } cases[] = {
      {{{1, first, first + 5, 3}}, "301:16777216>16777221x3 "},
      {{{1, first, first + 5, 3}, {1, first + 9, first + 8, 1}},
       "301:16777216>16777221x3 301:16777225>16777224x1 "},
      {{{1, first, first + 5, 3}, {1, first, first + 7, 3}},
       "301:16777216>16777221x3 {14 bytes that make no sense}"},
      {{{2, first, first + 5, 3}}, "{10 bytes that make no sense}"},
      {{{1, first, first + 5, 0}}, "{10 bytes that make no sense}"},
      {{{1, first, first + 5, UINT32_MAX}}, "{14 bytes that make no sense}"},
      {{{1, 0, first + 5, 1}}, "{14 bytes that make no sense}"},
  };
  for (const auto &[windows, expected] : cases) {
    StreamRecord record(WARPO_STACK_SIGNATURE);
    record.declare(windows);
    record.end();
    EXPECT_EQ(record.read(), expected);
  }
}

TEST(StackWindows, needVersion2FromSomewhereOn) {
  const std::vector<warpo_window> windows = {{1, first, first + 5, 3}};
  StreamRecord early(WARPO_SIGNATURE);
  early.declare(windows);
  early.end();
  EXPECT_EQ(early.read(), "{4 bytes that make no sense}");

  StreamRecord late(WARPO_SIGNATURE);
  late.declare({});
  late.addSignature(WARPO_STACK_SIGNATURE);
  late.declare(windows);
  late.declare(windows);
  late.end();
  EXPECT_EQ(late.read(), "301:16777216>16777221x3 ");

  StreamRecord back(WARPO_STACK_SIGNATURE);
  back.declare(windows);
  back.addSignature(WARPO_SIGNATURE);
  back.end();
  EXPECT_EQ(back.read(), "301:16777216>16777221x3 {8 bytes that make no sense}");

  StreamRecord newer(WARPO_STACK_SIGNATURE);
  newer.declare(windows);
  newer.addSignature("\x89WARPO\x03");
  newer.end();
  EXPECT_EQ(newer.read(), "in:0x56: a warpo record of version 3; this program knows 1 and 2");
}

TEST(StackWindows, areKeptByYamlAndWarpo) {
  const char *text = "warpo-record: 1\n"
                     "entries:\n"
                     "  - module: 300\n"
                     "  - [1, 16777216]\n"
                     "  - window: [301, 16777216, 16777218, 2]\n"
                     "  - [2, 16777219]\n"
                     "  - [3, -16777219]\n"
                     "  - [4, -16777216]\n"
                     "  - window: [302, 16777216, 16777220, 1]\n"
                     "  - [5, 16777220]\n"
                     "  - [6, -16777220]\n";
  FunctionTable functions;
  std::string warpo = convert(text, "warpo", functions);
  std::string again = convert(warpo, "yaml", functions);
  // Windows that a batch brings stand before its entries.
  std::string expected = "warpo-record: 1\n"
                         "entries:\n"
                         "  - module: 300\n"
                         "  - window: [301, 16777216, 16777218, 2]\n"
                         "  - window: [302, 16777216, 16777220, 1]\n"
                         "  - [1, 16777216]\n";
  EXPECT_TRUE(StringRef(again).starts_with(expected)) << again;
  EXPECT_EQ(warpo[warpo_version_offset], 2);
  EXPECT_EQ(convert(again, "warpo", functions), warpo);
}

TEST(StackWindows, aModuleIdOfItsOwnForEachEntryOfWarp) {
  const char *text = "warpo-record: 1\n"
                     "entries:\n"
                     "  - module: 300\n"
                     "  - window: [301, 16777216, 16777218, 2]\n"
                     "  - [1, 16777216]\n"
                     "  - [2, 16777219]\n"
                     "  - [3, 2147483647]\n"
                     "  - [3, -16777219]\n"
                     "  - [4, -16777216]\n";
  FunctionTable functions;
  EXPECT_EQ(readAll(convert(text, "warp", functions)),
            "300> 1:16777216 301> 2:16777217 3:2147483647 3:-16777217 300> 4:-16777216");
}

// Also where the entries of another stream come between them, so that they are of two batches.
TEST(StackWindows, trapsInWarpAreOfTheModuleWhoseCallTheyEnd) {
  const char *text = "warpo-record: 1\n"
                     "entries:\n"
                     "  - module: 300\n"
                     "  - window: [301, 16777216, 16777218, 2]\n"
                     "  - [1, 16777219]\n"
                     "  - [2, 16777219]\n"
                     "  - [3, 2147483647]\n"
                     "  - [4, 2147483647]\n"
                     "  - module: 302\n"
                     "  - [5, 16777216]\n"
                     "  - module: 300\n"
                     "  - [5, -16777219]\n"
                     "  - [6, 2147483647]\n";
  FunctionTable functions;
  EXPECT_EQ(readAll(convert(text, "warp", functions)),
            "301> 1:16777217 2:16777217 302> 5:16777216 301> 3:2147483647 4:2147483647 "
            "5:-16777217 300> 6:2147483647");
}

TEST(StackWindows, leadToTheFunctionsOfTheirModules) {
  FunctionTable table;
  RecordedModule app, lib;
  app.id = 300;
  app.name = "app";
  lib.id = 301;
  lib.name = "lib";
  app.addFunction(first, "main");
  lib.addFunction(first, "work");
  lib.addFunction(first + 1, "fail");
  table.declareModule(0, app, app.functions);
  table.declareModule(1, lib, lib.functions);
  StreamInfo stream{300, "", 1};
  auto nameOf = [&](int32_t id) { return table[table.idsOf(0, stream).find(id)].name; };
  EXPECT_EQ(&table.idsOf(0, stream), &table.idsOf(300));
  stream.windows.add({301, first, first + 1, 2});
  EXPECT_EQ(nameOf(first), "main");
  EXPECT_EQ(nameOf(first + 1), "work");
  EXPECT_EQ(nameOf(first + 2), "fail");
  EXPECT_EQ(nameOf(suspendedId), "(suspended)");
  EXPECT_EQ(table.idsOf(0, stream).find(first + 1), table.idsOf(301).find(first));
  EXPECT_EQ(table.describe(stream), "module 300 (app) with 301 (lib)");
  // A module that joins later.
  stream.windows.add({302, first, first + 3, 1});
  EXPECT_EQ(nameOf(first + 3), "unknown function 16777216");
  EXPECT_EQ(table.moduleIdOf(table[table.idsOf(0, stream).find(first + 3)]), 302u);
  EXPECT_EQ(stream.functionOf(first + 2).moduleId, 301u);
  EXPECT_EQ(stream.functionOf(first + 2).id, first + 1);
  EXPECT_EQ(stream.idOf({301, first + 1}), first + 2);
  EXPECT_EQ(stream.idOf({300, first}), first);
}

} // namespace
