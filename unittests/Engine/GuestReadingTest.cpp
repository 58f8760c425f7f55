// SPDX-License-Identifier: Apache-2.0
// What becomes of a guest's frames: they are made fit for a record, and what was wrong is told
// once.
#include "GuestReading.h"

#include "gtest/gtest.h"

using namespace llvm;
using namespace warpo;

namespace {

/// A memory alone.
class Memory : public StoppedInstance {
public:
  explicit Memory(std::vector<uint8_t> bytes) : bytes_(std::move(bytes)) {}
  MutableArrayRef<uint8_t> exportedMemory(StringRef) override { return bytes_; }
  bool growMemory(uint32_t) override { return false; }
  std::optional<uint64_t> global(StringRef) override { return std::nullopt; }
  bool setGlobal(StringRef, uint64_t) override { return false; }
  Expected<uint64_t> call(StringRef, ArrayRef<uint64_t>) override { return 0; }

private:
  std::vector<uint8_t> bytes_;
};

/// What the reader below is to find, sample by sample; nothing: it fails.
std::vector<std::optional<GuestFrames>> script;
size_t reads = 0;

class ScriptedStack : public GuestStack {
  bool suits(const wasm::Module &module) const override { return module.fileName == "guest.wasm"; }
  Error read(StoppedInstance &, GuestFrames &frames) override {
    const auto &wanted = script[reads++ % script.size()];
    if (!wanted)
      return createStringError("it is asleep");
    frames = *wanted;
    return Error::success();
  }
};
warpo::Registry<GuestStack>::Add<ScriptedStack> registration("scripted", "of this test");

/// The frames of each sample, joined.
std::vector<std::string> readAll(GuestReading &reading, size_t samples) {
  std::vector<std::string> stacks;
  reads = 0;
  for (size_t i = 0; i < samples; ++i) {
    std::string stack;
    for (const std::string &frame : reading.read())
      stack += ";" + frame;
    stacks.push_back(std::move(stack));
  }
  return stacks;
}

std::unique_ptr<GuestReading> readingOf(StoppedInstance &instance, StringRef choice = "auto") {
  auto reading = GuestReading::create(choice);
  EXPECT_TRUE(bool(reading));
  wasm::Module other, guest;
  other.fileName = "other.wasm";
  guest.fileName = "guest.wasm";
  (*reading)->offer(other, other.fileName, instance);
  (*reading)->offer(guest, guest.fileName, instance);
  return std::move(*reading);
}

using Texts = std::vector<std::string>;

TEST(GuestReading, FramesAreOutermostFirstAndMadeFit) {
  std::string umlauts;
  for (int i = 0; i < 600; ++i)
    umlauts += "\xc3\xa4";
  script = {GuestFrames{{"inner", "", "outer"}, false, "", ""},
            GuestFrames{{"a\xff", "b"}, true, "", ""},
            GuestFrames{{"x" + umlauts}, false, "it is odd", "5"}};
  Memory memory({});
  auto reading = readingOf(memory);
  std::string kept = "x" + umlauts.substr(0, 1022);
  EXPECT_EQ(readAll(*reading, 3),
            (Texts{";outer;inner", ";[frames left out];b;a\xef\xbf\xbd", ";" + kept}));
  std::string place = "guest.wasm: guest stack: ";
  EXPECT_EQ(
      reading->problems(),
      (Texts{place + "a name is not UTF-8 (in 1 of 3 samples, the first: 'a\xef\xbf\xbd')",
             place + "a name is too long (in 1 of 3 samples, the first: 1201 bytes, and 1024 are "
                     "kept)",
             place + "it is odd (in 1 of 3 samples, the first: 5)"}));
}

TEST(GuestReading, FailuresCostFramesAndAreNotRepeatedForEver) {
  Memory memory({});
  script = {GuestFrames{{"f"}, false, "", ""}, std::nullopt};
  auto now = readingOf(memory);
  EXPECT_EQ(readAll(*now, 4), (Texts{";f", "", ";f", ""}));
  EXPECT_EQ(now->problems(),
            Texts{"guest.wasm: guest stack: it is asleep (it is missing in 2 of 4 samples)"});

  script = {std::nullopt};
  auto always = readingOf(memory);
  readAll(*always, 100);
  EXPECT_EQ(reads, 8u);
  EXPECT_EQ(always->problems(),
            Texts{"guest.wasm: guest stack: it is asleep (it is missing in 100 of 100 samples)"});
}

TEST(GuestReading, ItIsWhatWasChosen) {
  Memory memory({});
  script = {GuestFrames{{"f"}, false, "", ""}};
  EXPECT_EQ(readAll(*readingOf(memory, "none"), 1), Texts{""});
  EXPECT_EQ(readingOf(memory, "none")->problems(), Texts{});
  EXPECT_EQ(readAll(*readingOf(memory, "scripted"), 1), Texts{";f"});
  EXPECT_EQ(readingOf(memory, "export")->problems(),
            Texts{"no module of the program has a guest stack 'export'"});
  auto unknown = GuestReading::create("python");
  ASSERT_FALSE(bool(unknown));
  EXPECT_EQ(toString(unknown.takeError()),
            "unknown guest stack 'python' (known: export, scripted)");
}

TEST(StoppedInstance, ReadsNothingOutsideOfItsMemory) {
  Memory memory({'a', 'b', 0, 'c', 1, 2, 3, 4});
  EXPECT_EQ(memory.readText(0, 10), "ab");
  EXPECT_EQ(memory.readText(0, 1), "a");
  EXPECT_EQ(memory.readText(3, 2), "c\x01");
  EXPECT_EQ(memory.readText(3, 100), "c\x01\x02\x03\x04");
  EXPECT_EQ(memory.readText(8, 1), "");
  EXPECT_EQ(memory.readText(UINT64_MAX, 1), "");
  EXPECT_EQ(memory.read<uint32_t>(4), 0x04030201u);
  EXPECT_EQ(memory.read<uint32_t>(5), std::nullopt);
  EXPECT_EQ(memory.read<uint8_t>(UINT64_MAX), std::nullopt);
}

} // namespace
