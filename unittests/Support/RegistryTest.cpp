//===- RegistryTest.cpp ---------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Support/Registry.h"
#include "warpo/Support/DamageReport.h"
#include <gtest/gtest.h>

using namespace llvm;

namespace {

struct Shape {
  static constexpr StringLiteral kind = "shape";
  virtual ~Shape() = default;
  virtual int corners() const = 0;
};
struct Square : Shape {
  int corners() const override { return 4; }
};
struct Circle : Shape {
  int corners() const override { return 0; }
};
struct Twin {
  static constexpr StringLiteral kind = "twin";
  virtual ~Twin() = default;
};

} // namespace

WARPO_INSTANTIATE_REGISTRY(Shape)

// The macro above defines what every registry of this file needs.
template class llvm::Registry<Twin>;

namespace {

warpo::Registry<Shape>::Add<Square> square("square", "four corners");
warpo::Registry<Shape>::Add<Circle> circle("circle", "none");
warpo::Registry<Twin>::Add<Twin> first("twin", "the first");
warpo::Registry<Twin>::Add<Twin> second("twin", "the second");

TEST(Registry, listsSortedAndMakesByName) {
  std::string text;
  raw_string_ostream os(text);
  cantFail(warpo::Registry<Shape>::print(os));
  EXPECT_EQ(text, "circle - none\nsquare - four corners\n");
  EXPECT_EQ(cantFail(warpo::Registry<Shape>::create("square"))->corners(), 4);
  EXPECT_EQ(toString(warpo::Registry<Shape>::create("cube").takeError()),
            "unknown shape 'cube' (known: circle, square)");
  EXPECT_EQ(warpo::Registry<Shape>::size(), 2u);
  EXPECT_GE(warpo::countRegistrations(), 2u);
}

TEST(Registry, refusesTwoOfOneName) {
  EXPECT_EQ(toString(warpo::Registry<Twin>::create("twin").takeError()),
            "two twins are registered as 'twin'");
}

TEST(DamageReport, countsEachKindOnce) {
  warpo::DamageReport damage;
  EXPECT_TRUE(damage.empty());
  int asked = 0;
  auto place = [&] { return "in:" + std::to_string(++asked); };
  damage.add("hole", "holes", 1, place);
  damage.add("end", "ends", 2, place);
  damage.add("hole", "holes", 4, place);
  EXPECT_EQ(asked, 2);
  EXPECT_EQ(damage.messages(), (std::vector<std::string>{"in:1: 5 holes (the first is here)",
                                                         "in:2: 2 ends (the first is here)"}));
}

} // namespace
