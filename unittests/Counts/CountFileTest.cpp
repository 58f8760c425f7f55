//===- CountFileTest.cpp - Counters in files ------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "CountSum.h"
#include "warpo/Places/CodeMap.h"
#include "warpo/Wasm/CountArtifacts.h"
#include "llvm/ADT/StringExtras.h"
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
  cantFail(sums.add(encodeSum(someCounts({100, 300, 0})), "b.counts"));
  ASSERT_EQ(sums.modules().size(), 1u);
  const CountData &data = sums.modules().front();
  EXPECT_EQ(data.counters, (std::vector<uint64_t>{111, 302, UINT64_MAX}));
  EXPECT_EQ(data.instances, 3u);
  EXPECT_EQ(data.saturated, 1u);
  CountSums again;
  cantFail(again.add(encodeSum(data), "c.counts"));
  EXPECT_EQ(again.modules().front().counters, data.counters);
}

TEST(CountFileTest, SumsUpWhereCallsWereLeft) {
  // Function 5 of the instrumented module, which has one import more and 9 functions of its own.
  // Its code begins at 0x20; the byte at 4 was at 2.
  SmallVector<uint8_t, 0> map{1, 1, 9};
  ByteWriter mapWriter(map);
  CodeMap{.code = 0x20, .end = 40, .runs = {{4, 2}, {30, 8}}}.write(mapWriter);
  SmallVector<uint8_t, 0> bytes = writtenByHost(someCounts({1}));
  ByteWriter writer(bytes);
  writer.bytes(arrayRefFromStringRef(wasm::leftCallsSignature));
  writer.u8(1);
  writer.uleb(1); // an instance of which nothing is known
  writer.name(toStringRef(map));
  writer.uleb(4);
  for (uint64_t number : {5, 0x20 + 5, 2, /**/ 5, 0, 1, /**/ 10, 0, 7, /**/ 5, 0x20 + 45, 1})
    writer.uleb(number);
  append_range(bytes, writtenByHost(someCounts({10})));
  CountSums sums;
  cantFail(sums.add(bytes, "a.counts"));
  cantFail(sums.add(encodeSum(sums.modules().front()), "b.counts"));
  const LeftCalls &left = sums.modules().front().left;
  EXPECT_EQ(sums.modules().front().counters, std::vector<uint64_t>{22});
  EXPECT_EQ(left.unknownStacks, 2u);
  std::map<LeftCalls::Place, uint64_t> expected{{{4, 0}, 2}, {{4, 3}, 4}};
  EXPECT_EQ(left.calls, expected);
}

TEST(CountFileTest, SumsUpWherePartsBegin) {
  CountData part = someCounts({1});
  part.left.calls[{2, 0}] = 1;
  part.begun.calls[{4, 3}] = 5;
  part.begun.unknownStacks = 1;
  CountSums sums;
  cantFail(sums.add(encodeSum(part), "a.counts"));
  cantFail(sums.add(encodeSum(sums.modules().front()), "b.counts"));
  const CountData &data = sums.modules().front();
  EXPECT_EQ(data.left.calls, (std::map<LeftCalls::Place, uint64_t>{{{2, 0}, 2}}));
  EXPECT_EQ(data.begun.calls, (std::map<LeftCalls::Place, uint64_t>{{{4, 3}, 10}}));
  EXPECT_EQ(data.begun.unknownStacks, 2u);
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
  append_range(bytes, StringRef("WARPOLFT\1\1\0\2\3\0\1", 15).bytes());
  EXPECT_EQ(errorOf(bytes), "a.counts:0x58: 2 places, of which no more than 1 are there");
  bytes[8] = 9;
  EXPECT_EQ(errorOf(bytes), "a.counts:0x8: counts of version 9, known is 1");
}
