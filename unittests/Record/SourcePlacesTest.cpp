//===- SourcePlacesTest.cpp - The contents of blocks `places` -------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Record/SourcePlaces.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Compression.h"
#include "llvm/Support/LEB128.h"
#include "llvm/Support/raw_ostream.h"
#include <gtest/gtest.h>

using namespace llvm;
using namespace warpo;

namespace {

using Numbers = std::vector<uint64_t>;

/// A part of docs/source-places.md: texts stand behind its first number.
struct Part {
  uint64_t kind;
  Numbers numbers;
  std::vector<std::string> texts = {};
};

std::string bytesOf(ArrayRef<Part> parts) {
  std::string bytes;
  raw_string_ostream os(bytes);
  for (const Part &part : parts) {
    std::string payload;
    raw_string_ostream payloadOs(payload);
    for (uint64_t number : part.numbers)
      encodeULEB128(number, payloadOs);
    for (const std::string &text : part.texts) {
      encodeULEB128(text.size(), payloadOs);
      payloadOs << text;
    }
    encodeULEB128(part.kind, os);
    encodeULEB128(payload.size(), os);
    os << payload;
  }
  return bytes;
}

std::string contentsOf(StringRef bytes, uint64_t version = 1, int64_t more = 0) {
  SmallVector<uint8_t, 0> frame;
  compression::zstd::compress(arrayRefFromStringRef(bytes), frame);
  std::string contents;
  raw_string_ostream os(contents);
  os << char(version);
  encodeULEB128(uint64_t(int64_t(bytes.size()) + more), os);
  os << toStringRef(ArrayRef<uint8_t>(frame));
  return contents;
}

/// `16777216 app.c:3 (insert find); 16777217 :0`, or what is wrong.
std::string read(StringRef contents) {
  auto places = readPlaces(contents);
  if (!places)
    return toString(places.takeError());
  std::string text;
  for (const SourcePlaces::Function &function : places->functions) {
    text += (text.empty() ? "" : "; ") + std::to_string(function.id) + " " +
            places->texts[function.file] + ":" + std::to_string(function.line);
    std::string names;
    for (uint32_t name : places->inlinedInto(function))
      names += (names.empty() ? "" : " ") + places->texts[name];
    text += names.empty() ? "" : " (" + names + ")";
    EXPECT_EQ(places->find(function.id), &function);
  }
  EXPECT_EQ(places->find(1), nullptr);
  return text;
}

const Part files{2, {2}, {"app.c", "tree.c"}};
const Part names{3, {3}, {"insert", "find", "hash"}};
const Part inlinees{4, {3, 1, 1, 9, 2, 2, 0, 3, 0, 0}};
// The second one has no trace points.
const Part functions{5, {3, 0, 1, 0, 1, 3, 10, 100, 4, 0, 0, 2, 7, 200, 50, 0, 2, 0, 0, 0, 300, 9}};
// `insert` with `find` in it, and `hash`, which has less code than either.
const Part inlined{
    6, {0, 3, 1, 1, 1, 4, 2, 1, 2, 1, 10, 0, 3, 3, 1, 5, 0, 4, 10, 1, 20, 2, 20, 3, 10, 0}};

TEST(SourcePlaces, AreRead) {
  std::string wanted = "16777216 app.c:3 (insert find hash); 16777218 :0";
  EXPECT_EQ(read(contentsOf(bytesOf({files, names, inlinees, functions, inlined}))), wanted);
  // Parts that nobody knows, and what stands behind the fields of known ones.
  Part longer = files;
  longer.texts.push_back("more");
  EXPECT_EQ(
      read(contentsOf(bytesOf(
          {{1, {0, 40}}, longer, names, inlinees, functions, inlined, {7, {1, 2, 3}}, {99, {5}}}))),
      wanted);
  EXPECT_EQ(read(contentsOf("")), "");
  EXPECT_EQ(read(contentsOf(bytesOf({{5, {1, 0, 1, 0, 0, 8, 0, 0}}}))), "16777216 :8");
  // The first `advance` may be 0; a function without trace points may have calls.
  EXPECT_EQ(read(contentsOf(bytesOf({names,
                                     {4, {1, 2, 0, 0}},
                                     Part{5, {1, 0, 1, 0, 0, 0, 0, 5}},
                                     {6, {0, 1, 1, 1, 0, 0, 0, 1, 0, 1}}}))),
            "16777216 :0 (find)");
}

TEST(SourcePlaces, SayHowMuchMemoryTheyTake) {
  std::string contents = contentsOf(bytesOf({files, names, inlinees, functions, inlined}));
  EXPECT_GT(cantFail(readPlaces(contents)).size(), contents.size() + 5 * sizeof(std::string));
}

TEST(SourcePlaces, OfBadBytesAreRefused) {
  EXPECT_EQ(read(contentsOf(bytesOf({{5, {1, 0, 1, 0, 3, 0, 0, 0}}}))), "places:0x7: file 3 of 0");
}

TEST(SourcePlaces, ThatAreWrittenAreRead) {
  SourcePlaces places;
  places.texts = {"", "a.c", "insert", "find"};
  places.inlined = {3, 2};
  places.functions = {{16777216, 1, 3, 0, 0}, {16777300, 0, 0, 0, 2}, {16777301, 1, 9, 2, 0}};
  EXPECT_EQ(read(writePlaces(places)), "16777216 a.c:3; 16777300 :0 (find insert); 16777301 a.c:9");
  EXPECT_EQ(read(writePlaces(SourcePlaces())), "");
}

} // namespace
