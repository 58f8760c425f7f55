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
  Error error = CountSums().add(bytes, "a.counts");
  return error ? toString(std::move(error)) : "none";
}

} // namespace

TEST(CountFileTest, SumsUpInstances) {
  SmallVector<uint8_t, 0> bytes = writtenByHost(someCounts({1, 2, UINT64_MAX - 1}));
  append_range(bytes, writtenByHost(someCounts({10, 0, 5})));
  CountSums sums;
  cantFail(sums.add(bytes, "a.counts"));
  cantFail(sums.add(encodeCounts(someCounts({100, 300, 0})), "b.counts"));
  ASSERT_EQ(sums.modules().size(), 1u);
  const CountData &data = sums.modules().front();
  EXPECT_EQ(data.counters, (std::vector<uint64_t>{111, 302, UINT64_MAX}));
  EXPECT_EQ(data.instances, 3u);
  EXPECT_EQ(data.saturated, 1u);
  CountSums again;
  cantFail(again.add(encodeCounts(data), "c.counts"));
  EXPECT_EQ(again.modules().front().counters, data.counters);
}

TEST(CountFileTest, KeepsModulesApart) {
  CountData other = someCounts({5, 6});
  other.moduleHash.fill(8);
  SmallVector<uint8_t, 0> bytes = writtenByHost(someCounts({1}));
  append_range(bytes, writtenByHost(other));
  append_range(bytes, writtenByHost(someCounts({1})));
  CountSums sums;
  cantFail(sums.add(bytes, "a.counts"));
  ASSERT_EQ(sums.modules().size(), 2u);
  EXPECT_EQ(sums.modules()[0].counters, std::vector<uint64_t>{2});
  EXPECT_EQ(sums.modules()[1].counters, (std::vector<uint64_t>{5, 6}));
}

TEST(CountFileTest, RefusesAnotherPlan) {
  SmallVector<uint8_t, 0> bytes = writtenByHost(someCounts({1}));
  CountData other = someCounts({1, 2});
  other.fingerprint = 1;
  append_range(bytes, writtenByHost(other));
  EXPECT_EQ(errorOf(bytes),
            "a.counts: 2 counters of plan 1, those before it are 1 of plan 123456789abcdef0");
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
