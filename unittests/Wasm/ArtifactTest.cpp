//===- ArtifactTest.cpp - What modules list for their hosts ---------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Wasm/Artifact.h"
#include "TestModule.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace warpo::wasm;
using namespace warpo::test;

namespace {

// Types (i32) -> i64 and (i32) -> i32, a function `f` of each, a memory `m`, an i64 and an i32 `g`,
// `h`.
std::vector<std::string> parts() {
  return {section(1, "02 60 01 7f 01 7e 60 01 7f 01 7f"),
          section(3, "02 00 01"),
          section(5, "01 00 01"),
          section(6, "02 7e 01 42 00 0b 7f 01 41 00 0b"),
          section(7, "05 'long' 00 00 'int' 00 01 'm' 02 00 'g' 03 00 'h' 03 01"),
          section(10, "02 04 00 42 00 0b 04 00 41 00 0b")};
}

Expected<std::vector<Artifact>> find(std::vector<std::string> sections) {
  Bytes bytes = moduleOf(sections);
  auto module = readModule(bytes, "m");
  if (!module)
    return module.takeError();
  return findArtifacts(*module);
}

Expected<std::vector<Artifact>> findListed(ArrayRef<uint8_t> contents) {
  std::vector<std::string> sections = parts();
  sections.push_back(section(0, "'warpo.artifacts'" + hexOf(contents)));
  return find(std::move(sections));
}

Artifact sample(Artifact::Access access, std::vector<std::string> exports) {
  Artifact artifact;
  artifact.format = "counts-1.0";
  artifact.extension = ".counts";
  artifact.description = "x";
  artifact.head = {0, 0xff};
  artifact.access = access;
  artifact.exports = std::move(exports);
  return artifact;
}

TEST(Artifact, GoesThroughTheSection) {
  Artifact memory = sample(Artifact::Access::memory, {"m"});
  memory.offset = 300;
  memory.size = Artifact::toItsEnd;
  Artifact function = sample(Artifact::Access::function, {"long"});
  function.type = ValueType::i64;
  function.count = Artifact::mostNumbers;
  Artifact globals = sample(Artifact::Access::globals, {"h", "h"});
  globals.extension = "";
  for (const Artifact &artifact : {memory, function, globals}) {
    EXPECT_FALSE(bool(checkArtifact(artifact)));
    auto found = findListed(encodeArtifacts(artifact));
    ASSERT_TRUE(bool(found)) << toString(found.takeError());
    ASSERT_EQ(found->size(), 1u);
    const Artifact &read = found->front();
    EXPECT_EQ(read.format, artifact.format);
    EXPECT_EQ(read.extension, artifact.extension);
    EXPECT_EQ(read.isRecord(), artifact.extension.empty());
    EXPECT_EQ(read.description, artifact.description);
    EXPECT_EQ(read.head, artifact.head);
    EXPECT_EQ(read.access, artifact.access);
    EXPECT_EQ(read.exports, artifact.exports);
    EXPECT_EQ(read.offset, artifact.offset);
    EXPECT_EQ(read.size, artifact.size);
    EXPECT_EQ(read.type, artifact.type);
    EXPECT_EQ(read.count, artifact.count);
  }
}

// Whatever a list is cut off at, and whatever byte of it is another one, it is read or refused.
TEST(Artifact, DamageIsFound) {
  Artifact globals = sample(Artifact::Access::globals, {"h"});
  Artifact memory = sample(Artifact::Access::memory, {"m"});
  SmallVector<uint8_t, 0> whole = encodeArtifacts({globals, memory});
  for (size_t size = 0; size < whole.size(); ++size)
    EXPECT_FALSE(bool(findListed(ArrayRef(whole).take_front(size)))) << size;
  for (size_t place = 0; place < whole.size(); ++place)
    for (unsigned value : {0, 1, 2, 3, 0x2f, 0x7f, 0x80, 0xff}) {
      SmallVector<uint8_t, 0> damaged = whole;
      damaged[place] = uint8_t(value);
      if (auto found = findListed(damaged))
        EXPECT_LE(found->size(), 2u);
      else
        consumeError(found.takeError());
    }
}

TEST(Artifact, NamesWhatIsWrong) {
  const struct {
    Artifact artifact;
    std::string message;
  } cases[] = {
      {sample(Artifact::Access::memory, {"g"}), "the module exports no memory 'g'"},
      {sample(Artifact::Access::function, {"long"}),
       "the module exports no function 'long' of type (i32) -> i32"},
      {sample(Artifact::Access::globals, {"h", "g"}),
       "the module exports no global 'g' of type i32"},
  };
  for (const auto &[artifact, message] : cases) {
    auto found = findListed(encodeArtifacts(artifact));
    ASSERT_FALSE(bool(found)) << message;
    std::string text = toString(found.takeError());
    EXPECT_TRUE(StringRef(text).ends_with("artifact 'counts-1.0': " + message)) << text;
  }
}

// What is declared is checked before it is written.
TEST(Artifact, NeedsNames) {
  auto refuses = [](void (*change)(Artifact &)) {
    Artifact artifact = sample(Artifact::Access::function, {"int"});
    change(artifact);
    Error error = checkArtifact(artifact);
    bool refused = bool(error);
    consumeError(std::move(error));
    return refused;
  };
  EXPECT_FALSE(refuses([](Artifact &) {}));
  EXPECT_TRUE(refuses([](Artifact &each) { each.format = ""; }));
  EXPECT_TRUE(refuses([](Artifact &each) { each.format = "a/b"; }));
  EXPECT_TRUE(refuses([](Artifact &each) { each.extension = "counts"; }));
  EXPECT_TRUE(refuses([](Artifact &each) { each.extension = ".a/../b"; }));
  EXPECT_TRUE(refuses([](Artifact &each) { each.extension = "."; }));
  EXPECT_TRUE(refuses([](Artifact &each) { each.description = ""; }));
  EXPECT_TRUE(refuses([](Artifact &each) { each.exports.clear(); }));
  EXPECT_TRUE(refuses([](Artifact &each) { each.exports.push_back("int"); }));
  EXPECT_TRUE(refuses([](Artifact &each) { each.count = Artifact::mostNumbers + 1; }));
  EXPECT_TRUE(refuses([](Artifact &each) { each.type = ValueType::f32; }));
}

// Modules from before there was a list, and functions that only have the name.
TEST(Artifact, OfTheOrderWithoutAList) {
  auto found = find({section(5, "01 00 01"), section(7, "01 '__warpo_order_dump' 02 00")});
  ASSERT_TRUE(bool(found)) << toString(found.takeError());
  ASSERT_EQ(found->size(), 1u);
  EXPECT_EQ(found->front().format, "order-dump");
  EXPECT_TRUE(found->front().isRecord());
  EXPECT_EQ(found->front().size, Artifact::toItsEnd);

  for (const auto &[result, body, count] :
       {std::tuple("7f", "41", 1u), std::tuple("7e", "42", 0u)}) {
    found = find({section(1, "01 60 01 7f 01" + std::string(result)), section(3, "01 00"),
                  section(7, "01 '__warpo_order_rank' 00 00"),
                  section(10, "01 04 00" + std::string(body) + "00 0b")});
    ASSERT_TRUE(bool(found)) << toString(found.takeError());
    ASSERT_EQ(found->size(), count);
    if (count) {
      EXPECT_EQ(found->front().count, 1u);
    }
  }
  EXPECT_TRUE(find({})->empty());
}

} // namespace
