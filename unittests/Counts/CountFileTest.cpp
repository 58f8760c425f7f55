//===- CountFileTest.cpp - Counters in files ------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Counts/CountFile.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace warpo;

namespace {

CountData someCounts(std::vector<uint64_t> counters) {
  CountData data;
  data.moduleHash.fill(7);
  data.fingerprint = 0x123456789abcdef0;
  data.instances = 1;
  data.counters = std::move(counters);
  return data;
}

// As a host writes them: the head, and numbers of 8 bytes.
SmallVector<uint8_t, 0> writtenByHost(const CountData &data) {
  SmallVector<uint8_t, 0> bytes = encodeCountHead(data, uint32_t(data.counters.size()));
  for (uint64_t counter : data.counters)
    for (unsigned shift = 0; shift != 64; shift += 8)
      bytes.push_back(uint8_t(counter >> shift));
  return bytes;
}

std::string errorOf(ArrayRef<uint8_t> bytes) {
  auto data = readCounts(bytes, "a.counts");
  return data ? "none" : toString(data.takeError());
}

} // namespace

TEST(CountFileTest, SumsUpInstances) {
  SmallVector<uint8_t, 0> bytes = writtenByHost(someCounts({1, 2, UINT64_MAX - 1}));
  append_range(bytes, writtenByHost(someCounts({10, 0, 5})));
  append_range(bytes, encodeCounts(someCounts({100, 300, 0})));
  CountData data = cantFail(readCounts(bytes, "a.counts"));
  EXPECT_EQ(data.counters, (std::vector<uint64_t>{111, 302, UINT64_MAX}));
  EXPECT_EQ(data.instances, 3u);
  EXPECT_EQ(data.saturated, 1u);
  EXPECT_EQ(cantFail(readCounts(encodeCounts(data), "b.counts")).counters, data.counters);
}

TEST(CountFileTest, RefusesWhatIsOfAnotherModule) {
  SmallVector<uint8_t, 0> bytes = writtenByHost(someCounts({1}));
  CountData other = someCounts({1});
  other.moduleHash.fill(8);
  append_range(bytes, writtenByHost(other));
  std::string sevens, eights;
  for (int i = 0; i != 32; ++i) {
    sevens += "07";
    eights += "08";
  }
  EXPECT_EQ(errorOf(bytes),
            "a.counts: counts of module " + eights + ", those before it are of " + sevens);
}

TEST(CountFileTest, SaysWhereItIsDamaged) {
  SmallVector<uint8_t, 0> bytes = writtenByHost(someCounts({1, 2, 3}));
  for (size_t size = 0; size != bytes.size(); ++size)
    EXPECT_NE(errorOf(ArrayRef(bytes).take_front(size)), "none") << size;
  EXPECT_EQ(errorOf(ArrayRef(bytes).drop_back()),
            "a.counts:0x34: 3 counters, of which no more than 2 are there");
  bytes[8] = 9;
  EXPECT_EQ(errorOf(bytes), "a.counts:0x8: counts of version 9, known is 1");
}
