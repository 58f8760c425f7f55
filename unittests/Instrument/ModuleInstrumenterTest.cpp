//===- ModuleInstrumenterTest.cpp - Ids, order, several instrumentations --===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Instrument/ModuleInstrumenter.h"
#include "../Wasm/TestModule.h"
#include "warpo/Instrument/Instrumentation.h"
#include "warpo/Wasm/TracePoints.h"
#include "llvm/ADT/StringExtras.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace warpo;
using namespace warpo::test;

namespace {

// Counts calls in a global: a second instrumentation, which needs no import.
class CountInstrumentation : public Instrumentation {
public:
  Error declare(ModuleDeclarations &declarations) override {
    count_ = declarations.addGlobal(wasm::ValueType::i32, true, 0);
    return Error::success();
  }
  void instrument(const FunctionSite &, wasm::FunctionEdit &edit) const override {
    edit.entry.globalGet(count_).i32Const(1).raw(0x6a /* i32.add */).globalSet(count_);
    edit.exit.raw(0x01 /* nop */);
  }

private:
  wasm::GlobalRef count_;
};

warpo::Registry<Instrumentation>::Add<CountInstrumentation> registration("test-count",
                                                                         "counts calls");

// A module of one function without parameters and results, `body` its locals and code, and
// `memories` those before it.
Bytes moduleWith(const std::string &body, const std::vector<std::string> &memories = {}) {
  std::vector<std::string> sections = {section(1, "01 60 00 00"), section(3, "01 00")};
  append_range(sections, memories);
  sections.push_back(section(10, "01" + hexOf(uint8_t(bytesOf(body).size())) + body));
  return moduleOf(sections);
}

Expected<InstrumentedModule> instrument(ArrayRef<uint8_t> bytes,
                                        std::vector<std::string> instrumentations) {
  InstrumentOptions options;
  options.instrumentations = std::move(instrumentations);
  return instrumentModule(bytes, "m", options);
}

// The code of the one function of a module that `instrument` has made.
std::string codeOf(const InstrumentedModule &instrumented) {
  auto module = wasm::readModule(instrumented.bytes, "result");
  return module ? toHex(module->bodies[0].bytes, true) : toString(module.takeError());
}

const std::string begin = "41808080081000";
const std::string end = "41808080781000";
const std::string count = "230041016a2400";

// Where functions are logged in a memory, their ids stand there; stores to other memories, before
// that or behind, are not taken for it.
TEST(ModuleInstrumenter, TheLogIdentifiesTheFunction) {
  const std::string store = "41 07 41 05 36 02 00";
  const struct {
    std::string name;
    std::vector<std::string> memories;
    std::string body;
  } cases[] = {
      {"the only memory", {}, "00 0b"},
      {"beside another", {section(5, "01 00 01")}, "00 " + store + " 0b"},
  };
  for (const auto &test : cases) {
    SCOPED_TRACE(test.name);
    InstrumentOptions options;
    options.instrumentations = {"order"};
    options.given = {{"order-buffer", "1"}};
    auto result = instrumentModule(moduleWith(test.body, test.memories), "m", options);
    ASSERT_TRUE(bool(result)) << toString(result.takeError());
    auto module = cantFail(wasm::readModule(result->bytes, "result"));
    wasm::EntryPoints entries(module);
    EXPECT_FALSE(entries.empty());
    EXPECT_EQ(entries.firstId(module.bodies[0], /*atBegin=*/false), firstFunctionId);
  }
}

TEST(ModuleInstrumenter, InstrumentationsNest) {
  const struct {
    std::vector<std::string> names;
    std::string expected;
  } cases[] = {
      {{"trace"}, "00" + begin + end + "0b"},
      {{"test-count"}, "00" + count + "01" + "0b"},
      {{"trace", "test-count"}, "00" + begin + count + "01" + end + "0b"},
      {{"test-count", "trace"}, "00" + count + begin + end + "01" + "0b"},
  };
  for (const auto &test : cases) {
    SCOPED_TRACE(join(test.names, ","));
    auto result = instrument(moduleWith("00 0b"), test.names);
    ASSERT_TRUE(bool(result)) << toString(result.takeError());
    EXPECT_EQ(codeOf(*result), test.expected);
  }
}

TEST(ModuleInstrumenter, EachInstrumentationOnce) {
  auto result = instrument(moduleWith("00 0b"), {"test-count", "fuel", "test-count"});
  ASSERT_FALSE(bool(result));
  EXPECT_EQ(toString(result.takeError()), "instrumentation 'test-count' is chosen twice");
}

TEST(ModuleInstrumenter, TheSameTwice) {
  Bytes bytes = moduleWith("00 02 40 0c 01 0b 0b");
  auto first = instrument(bytes, {"trace", "test-count"});
  auto second = instrument(bytes, {"trace", "test-count"});
  ASSERT_TRUE(bool(first)) << toString(first.takeError());
  ASSERT_TRUE(bool(second)) << toString(second.takeError());
  EXPECT_EQ(toHex(first->bytes), toHex(second->bytes));
}

TEST(ModuleInstrumenter, Reports) {
  auto result = instrument(moduleWith("00 0f 0b"), {"trace"});
  ASSERT_TRUE(bool(result)) << toString(result.takeError());
  ASSERT_EQ(result->functions.size(), 1u);
  const FunctionReport &function = result->functions[0];
  EXPECT_EQ(function.name, "func[0]");
  EXPECT_EQ(function.id, firstFunctionId);
  EXPECT_EQ(function.index, 0u);
  EXPECT_EQ(function.newIndex, 1u);
  EXPECT_EQ(function.codeOffset, 22u);
  EXPECT_EQ(function.codeSize, 3u);
  EXPECT_EQ(result->unnamed, 1u);
  EXPECT_EQ(result->statistics.editedFunctions, 1u);
  EXPECT_EQ(result->statistics.exits, 2u);
}

// Elements refer to the thunk of an imported function, unless the program could tell.
TEST(ModuleInstrumenter, ReferencesToImports) {
  const struct {
    const char *description;
    std::string first;
    std::string types;
    const char *elements;
    uint32_t kept;
  } cases[] = {
      {"plain", "", "01 60 00 00",
       "01010001"
       "01",
       0},
      {"final", "", "01 4f 00 60 00 00",
       "01010001"
       "01",
       0},
      {"with subtypes", "", "01 50 00 60 00 00",
       "01010001"
       "00",
       1},
      {"dynamic library", section(0, "'dylink.0'"), "01 60 00 00",
       "01010001"
       "00",
       1},
  };
  for (const auto &test : cases) {
    SCOPED_TRACE(test.description);
    auto result =
        instrument(moduleOf({test.first, section(1, test.types), section(2, "01 'm' 'f' 00 00"),
                             section(9, "01 01 00 01 00")}),
                   {"test-count"});
    ASSERT_TRUE(bool(result)) << toString(result.takeError());
    EXPECT_EQ(result->keptReferences, test.kept);
    EXPECT_EQ(result->functions[0].thunkIndex, 1u);
    auto module = wasm::readModule(result->bytes, "result");
    ASSERT_TRUE(bool(module)) << toString(module.takeError());
    auto elements = llvm::find_if(module->sections, [](const wasm::Section &section) {
      return section.id == wasm::SectionId::element;
    });
    ASSERT_NE(elements, module->sections.end());
    EXPECT_EQ(hexOf(elements->contents.bytes), test.elements);
  }
}

TEST(ModuleInstrumenter, TheModuleSaysWhatItIs) {
  Bytes bytes = moduleWith("00 0b");
  auto result = instrument(bytes, {"trace"});
  ASSERT_TRUE(bool(result)) << toString(result.takeError());
  auto identity = wasm::readModuleIdentity(result->bytes, "result");
  ASSERT_TRUE(bool(identity) && identity->has_value());
  EXPECT_EQ((*identity)->moduleId, wasm::ModuleIdentity::ofOriginal(bytes).moduleId);
  auto again = instrument(result->bytes, {"trace"});
  ASSERT_FALSE(bool(again));
  EXPECT_EQ(toString(again.takeError()),
            "m: is instrumented already: it has a section 'warpo.module'");
}

// The counter is the last global, whatever else there is; who asks for it changes nothing.
TEST(ModuleInstrumenter, FuelIsCountedOnceForAll) {
  const std::string body = "41001a", tracesFuel = "4180808008" + std::string("23001000"),
                    endsFuel = "4180808078" + std::string("23001000"), charge = "230042027c2400";
  const struct {
    std::vector<std::string> names;
    std::string expected;
  } cases[] = {
      {{"fuel"}, charge + body},
      {{"trace", "fuel"}, tracesFuel + charge + body + endsFuel},
      {{"fuel", "trace"}, tracesFuel + charge + body + endsFuel},
      {{"test-count", "fuel"}, count + "230142027c2401" + body + "01"},
      {{"fuel-limit"},
       "230142027c2401"
       "2301230059044023011000"
       "24000b" +
           body},
  };
  for (const auto &test : cases) {
    SCOPED_TRACE(join(test.names, ","));
    auto result = instrument(moduleWith("00 41 00 1a 0b"), test.names);
    ASSERT_TRUE(bool(result)) << toString(result.takeError());
    EXPECT_EQ(codeOf(*result), "00" + test.expected + "0b");
    EXPECT_EQ(result->statistics.runs, 1u);
    auto costs = wasm::readFuelCostsName(result->bytes, "result");
    ASSERT_TRUE(bool(costs)) << toString(costs.takeError());
    EXPECT_EQ(*costs, "1");
  }
}

TEST(ModuleInstrumenter, FunctionsThatAreLeftOutCountToo) {
  InstrumentOptions options;
  options.instrumentations = {"trace", "fuel"};
  options.selection.exclude = {"*"};
  Bytes bytes = moduleWith("00 41 00 1a 0b");
  auto result = instrumentModule(bytes, "m", options);
  ASSERT_TRUE(bool(result)) << toString(result.takeError());
  EXPECT_EQ(codeOf(*result), "00230042027c240041001a0b");
}

TEST(ModuleInstrumenter, NothingCountsFuelUnasked) {
  auto result = instrument(moduleWith("00 0b"), {"trace"});
  ASSERT_TRUE(bool(result)) << toString(result.takeError());
  EXPECT_FALSE(result->fuelCosts);
  auto costs = wasm::readFuelCostsName(result->bytes, "result");
  ASSERT_TRUE(bool(costs)) << toString(costs.takeError());
  EXPECT_FALSE(*costs);
}

TEST(ModuleInstrumenter, RefusesUnknownInstrumentations) {
  auto result = instrument(moduleWith("00 0b"), {"trace", "speed"});
  ASSERT_FALSE(bool(result));
  EXPECT_EQ(toString(result.takeError()),
            "unknown instrumentation 'speed' (known: call-kinds, counts, "
            "fuel, fuel-limit, heap, order, sample, test-count, trace, traps)");
}

} // namespace
