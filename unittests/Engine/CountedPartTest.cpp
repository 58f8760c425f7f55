// SPDX-License-Identifier: Apache-2.0
// What is counted of a part when its counters cannot always be read.
#include "CountedPart.h"
#include "warpo/Engine/GuestStack.h"
#include "warpo/Engine/ProgramUnit.h"
#include "warpo/Wasm/Artifact.h"
#include "warpo/Wasm/CountArtifacts.h"
#include "warpo/Wasm/CustomSectionWriter.h"
#include "warpo/Wasm/Module.h"

#include "gtest/gtest.h"

using namespace llvm;
using namespace warpo;

namespace {

/// A unit with one counter, in the exported memory `counters`.
class OneCounter : public ProgramUnit {
public:
  OneCounter() {
    const uint8_t start[] = {0, 'a', 's', 'm', 1, 0, 0, 0, 5, 3, 1, 0, 1, 7, 12, 1, 8};
    bytes_.append(std::begin(start), std::end(start));
    const StringRef name = "counters";
    bytes_.append(name.bytes_begin(), name.bytes_end());
    bytes_.append({2, 0});
    ByteWriter writer(bytes_);
    wasm::Artifact counts{.format = wasm::countFileFormat.str(),
                          .extension = ".counts",
                          .description = "counts",
                          .exports = {name.str()},
                          .size = 8};
    wasm::appendCustomSection(wasm::artifactSection, wasm::encodeArtifacts(counts), writer);
    module = cantFail(wasm::readModule(bytes_, "m"));
  }
  std::optional<uint64_t> counter(wasm::Counter) const override { return std::nullopt; }
  void setCounter(wasm::Counter, uint64_t) override {}

private:
  SmallVector<uint8_t, 0> bytes_;
};

/// Its instance, whose counter can only be read if it has a value.
class Instance : public StoppedInstance {
public:
  std::optional<uint8_t> count;

  MutableArrayRef<uint8_t> exportedMemory(StringRef) override {
    bytes_[0] = count.value_or(0);
    return MutableArrayRef<uint8_t>(bytes_).take_front(count ? 8 : 0);
  }
  bool growMemory(uint32_t) override { return false; }
  std::optional<uint64_t> global(StringRef) override { return std::nullopt; }
  bool setGlobal(StringRef, uint64_t) override { return false; }
  Expected<uint64_t> call(StringRef, ArrayRef<uint64_t>) override { return 0; }

private:
  uint8_t bytes_[8] = {};
};

/// The sum after each pair of counts, when the part begins and when it ends; -1: nothing was read.
std::vector<int> sumsOf(ArrayRef<std::pair<int, int>> counts) {
  OneCounter unit;
  Instance instance;
  CountedPart part("work");
  auto read = [&](int count) {
    instance.count = count < 0 ? std::nullopt : std::optional(uint8_t(count));
    EXPECT_EQ(errorToBool(part.read(unit, &instance, std::nullopt)), count < 0);
  };
  std::vector<int> sums;
  for (auto [atBegin, atEnd] : counts) {
    EXPECT_TRUE(part.begin(&unit, "work"));
    read(atBegin);
    EXPECT_TRUE(part.end(&unit));
    read(atEnd);
    const std::vector<uint64_t> &counters = part.countsOf(unit).counters;
    sums.push_back(counters.empty() ? -1 : int(counters[0]));
  }
  return sums;
}

TEST(CountedPart, AddsUpDifferences) {
  EXPECT_EQ(sumsOf({{2, 5}, {7, 8}}), (std::vector<int>{3, 4}));
}

// How much was counted before the part is not known then, so that time of the part adds nothing.
TEST(CountedPart, LeavesOutWhatHasNoBegin) {
  EXPECT_EQ(sumsOf({{-1, 5}, {7, 9}}), (std::vector<int>{-1, 2}));
  EXPECT_EQ(sumsOf({{2, 5}, {-1, 100}, {110, 111}}), (std::vector<int>{3, 3, 4}));
  EXPECT_EQ(sumsOf({{2, -1}, {-1, 100}}), (std::vector<int>{-1, -1}));
}

} // namespace
