//===- SourcePlacesTest.cpp - The contents of blocks `places` --------------===//
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
  EXPECT_EQ(read(contentsOf(bytesOf({{1, {}, {"dwarf"}},
                                     longer,
                                     names,
                                     inlinees,
                                     functions,
                                     inlined,
                                     {7, {1, 2, 3}},
                                     {99, {5}}}))),
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

TEST(SourcePlaces, OfBadBytesAreRefused) {
  std::string all = bytesOf({files, names, inlinees, functions, inlined});
  struct {
    const char *name;
    std::string contents;
    const char *wanted;
  } table[] = {
      {"nothing", "", "places:0x0: unexpected end: 1 byte wanted, 0 left"},
      {"version", contentsOf(all, 2), "version 2 of source places is not known (known: 1)"},
      {"size", contentsOf(all, 1, 1), "are announced"},
      {"too small a size", contentsOf(all, 1, -2), "too small"},
      {"too large", contentsOf("", 1, (1 << 26) + 1), "the most are 67108864"},
      {"no frame", StringRef("\1\0garbage instead of a frame", 28).str(),
       "Unknown frame descriptor"},
      {"order", contentsOf(bytesOf({names, files})), "part 2 behind part 3"},
      {"twice", contentsOf(bytesOf({files, files})), "part 2 behind part 2"},
      {"cut part", contentsOf(all.substr(0, all.size() - 1)), "unexpected end"},
      {"counts", contentsOf(bytesOf({{2, {5}, {"a"}}})), "5 files do not fit the part"},
      {"functions", contentsOf(bytesOf({{5, {1000, 1}}})), "1000 functions do not fit the part"},
      {"file", contentsOf(bytesOf({{5, {1, 0, 1, 0, 3, 0, 0, 0}}})), "there is no file 3, of 0"},
      {"name", contentsOf(bytesOf({files, {4, {1, 1, 0, 0}}})), "there is no name 1, of 0"},
      {"id", contentsOf(bytesOf({{5, {1, 0, 0x7f000001, 0, 0, 0, 0, 0}}})), "beyond the limits"},
      {"body", contentsOf(bytesOf({{5, {1, 0, 1, 0, 0, 0, 0xffffffff, 1}}})), "beyond the limits"},
      {"index", contentsOf(bytesOf({{5, {2, 0xffffffff, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0}}})),
       "beyond the limits"},
      {"bodies", contentsOf(bytesOf({{5, {2, 0, 1, 0, 0, 0, 9, 5, 0, 1, 0, 0, 0, 13, 1}}})),
       "function 1 at 13 begins in the one before, which ends at 14"},
      {"inlined into nothing", contentsOf(bytesOf({files, {6, {0, 0, 0}}})),
       "there is no function 0, of 0"},
      {"back",
       contentsOf(bytesOf({files, names, inlinees, functions, {6, {0, 1, 2, 1, 0, 0, 0, 0}}})),
       "there is no call back 2, of 1"},
      {"no back",
       contentsOf(bytesOf({files, names, inlinees, functions, {6, {0, 1, 0, 1, 0, 0, 0, 0}}})),
       "call 1 has no place"},
      {"inlinee",
       contentsOf(bytesOf({files, names, inlinees, functions, {6, {0, 1, 1, 4, 0, 0, 0, 0}}})),
       "there is no inlinee 4, of 3"},
      {"call", contentsOf(bytesOf({files, names, inlinees, functions, {6, {0, 0, 1, 0, 1}}})),
       "there is no call 1, of 0"},
      {"behind the body",
       contentsOf(bytesOf({files, names, inlinees, functions, {6, {0, 0, 1, 100, 0}}})),
       "change 0 lies outside"},
      {"twice at one place",
       contentsOf(bytesOf({files, names, inlinees, functions, {6, {0, 0, 2, 5, 0, 0, 0}}})),
       "change 1 lies outside of the function or does not rise"},
  };
  for (const auto &[name, contents, wanted] : table)
    EXPECT_NE(read(contents).find(wanted), std::string::npos) << name << ": " << read(contents);
  // Calls in each other.
  Part deep{6, {0, 256}};
  for (int i = 0; i < 256; ++i)
    deep.numbers.insert(deep.numbers.end(), {1, 1, 0, 0, 0});
  deep.numbers.push_back(0);
  EXPECT_NE(read(contentsOf(bytesOf({files, names, inlinees, functions, deep})))
                .find("more than 255 calls in each other"),
            std::string::npos);
}

TEST(SourcePlaces, ChangedAtWillAreReadOrRefused) {
  std::string all = bytesOf({files, names, inlinees, functions, inlined});
  for (size_t at = 0; at < all.size(); ++at)
    for (int value : {0, 1, 0x7f, 0x80, 0xff}) {
      std::string changed = all;
      changed[at] = char(value);
      consumeError(readPlaces(contentsOf(changed)).takeError());
      consumeError(readPlaces(contentsOf(changed.substr(0, at))).takeError());
    }
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
