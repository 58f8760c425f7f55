// SPDX-License-Identifier: Apache-2.0
// What all engines of this process have in common, with one that runs nothing.
#include "warpo/Engine/ProgramRun.h"
#include "warpo/Support/Errors.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/raw_ostream.h"

#include "gtest/gtest.h"

using namespace warpo;

namespace {

struct CountingUnit : ProgramUnit {
  std::optional<uint64_t> counter(wasm::Counter counter) const override {
    return counter == wasm::Counter::fuel ? std::optional(fuel) : std::nullopt;
  }
  void setCounter(wasm::Counter, uint64_t value) override { fuel = value; }
  uint64_t fuel = 0;
};

/// Two units, of files without contents.
RunRequest twoUnits() {
  RunRequest request;
  request.links = {{"linked", "/dev/null"}};
  request.app = "/dev/null";
  return request;
}

/// Notes what it is asked to do; `main` does what a test says.
class FakeRun : public ProgramRun {
public:
  explicit FakeRun(const RunRequest &request) : ProgramRun(request, "fake") {}

  std::string calls;
  std::vector<uint64_t> ids = {1, 2};
  std::string cannotLink, endsAtStart;
  std::function<void(FakeRun &, llvm::MutableArrayRef<uint64_t>)> main =
      [](FakeRun &, llvm::MutableArrayRef<uint64_t>) {};

  // For the tests.
  CountingUnit &last() { return static_cast<CountingUnit &>(app()); }
  using ProgramRun::end;
  using ProgramRun::hostEnd_;
  using ProgramRun::tracePoint;

private:
  llvm::Expected<std::unique_ptr<ProgramUnit>> decode(llvm::StringRef,
                                                      llvm::ArrayRef<uint8_t>) override {
    auto unit = std::make_unique<CountingUnit>();
    unit->isModule = false;
    unit->id = ids[units().size()];
    unit->functions = {{"main", {}, {ValueType::i32}}};
    unit->add(wasm::HostCall::tracePoint);
    return unit;
  }
  static std::string nameOf(const ProgramUnit &unit) { return "unit" + std::to_string(unit.id); }
  llvm::Error prepare() override {
    calls += "prepare";
    return llvm::Error::success();
  }
  llvm::Error link(ProgramUnit &unit) override {
    calls += ", link " + nameOf(unit);
    return nameOf(unit) == cannotLink ? makeError("no imports") : llvm::Error::success();
  }
  void start(ProgramUnit &unit) override {
    calls += ", start " + nameOf(unit);
    if (nameOf(unit) == endsAtStart)
      end("unreachable");
  }
  void call(const ExportedFunction &function, llvm::ArrayRef<uint64_t>,
            llvm::MutableArrayRef<uint64_t> results) override {
    calls += ", call " + function.name;
    main(*this, results);
  }
  llvm::Error execute(llvm::function_ref<llvm::Error()> work) override {
    calls += ", execute";
    return ProgramRun::execute(work);
  }
};

RunResult resultOf(FakeRun &run) {
  auto result = run.run();
  if (result)
    return std::move(*result);
  ADD_FAILURE() << llvm::toString(result.takeError());
  return RunResult();
}

TEST(ProgramRun, UnitsStartOneAfterTheOther) {
  RunRequest request = twoUnits();
  FakeRun run(request);
  run.main = [](FakeRun &, llvm::MutableArrayRef<uint64_t> results) { results[0] = 0x105; };
  RunResult result = resultOf(run);
  EXPECT_EQ(run.calls,
            "prepare, execute, link unit1, start unit1, link unit2, start unit2, call main");
  EXPECT_EQ(result.engine, "fake");
  EXPECT_EQ(result.exitCode, 5);
  EXPECT_TRUE(result.results.empty());
  EXPECT_TRUE(result.instrumented);
}

TEST(ProgramRun, AResultThatWasAskedForIsNoExitCode) {
  RunRequest request = twoUnits();
  request.invoke = "main";
  FakeRun run(request);
  run.main = [](FakeRun &, llvm::MutableArrayRef<uint64_t> results) { results[0] = 0x105; };
  RunResult result = resultOf(run);
  EXPECT_EQ(result.exitCode, 0);
  ASSERT_EQ(result.results.size(), 1u);
  EXPECT_EQ(result.results[0].bits, 0x105u);
}

TEST(ProgramRun, NothingRunsAfterTheEnd) {
  RunRequest request = twoUnits();
  FakeRun run(request);
  run.endsAtStart = "unit1";
  RunResult result = resultOf(run);
  EXPECT_EQ(run.calls, "prepare, execute, link unit1, start unit1");
  ASSERT_TRUE(result.trap);
  EXPECT_EQ(result.trap->message, "unreachable");
}

TEST(ProgramRun, ATrapShowsTheOpenCallsAndAnExitTheLowByteOfItsCode) {
  for (bool exits : {false, true}) {
    RunRequest request = twoUnits();
    FakeRun run(request);
    run.main = [exits](FakeRun &self, llvm::MutableArrayRef<uint64_t>) {
      for (int32_t id : {16777216, 16777217, 16777218, -16777218})
        self.tracePoint(self.last(), id);
      if (exits)
        self.hostEnd_ = GuestEnd{258, ""};
      self.end("unreachable");
    };
    RunResult result = resultOf(run);
    EXPECT_EQ(result.trap.has_value(), !exits);
    if (exits) {
      EXPECT_EQ(result.exitCode, 2);
      continue;
    }
    ASSERT_EQ(result.trap->openCalls.size(), 2u);
    EXPECT_EQ(result.trap->openCalls[0].id, 16777217);
    EXPECT_EQ(result.trap->openCalls[0].module, 2u);
  }
}

TEST(ProgramRun, RecordedUnitsHaveDifferentIds) {
  RunRequest request = twoUnits();
  FakeRun run(request);
  run.ids = {7, 7};
  EXPECT_EQ(llvm::toString(run.run().takeError()),
            "/dev/null: its module id 7 is also that of /dev/null");
}

TEST(ProgramRun, AProgramThatCannotBeLinkedLeavesAnEarlierRecord) {
  llvm::SmallString<64> path;
  int descriptor;
  ASSERT_FALSE(llvm::sys::fs::createTemporaryFile("warpo", "rec", descriptor, path));
  llvm::FileRemover remover(path);
  llvm::raw_fd_ostream(descriptor, /*shouldClose=*/true) << "earlier";
  for (std::string unit : {"unit1", "unit2"}) {
    RunRequest request = twoUnits();
    request.record.file = path.str().str();
    FakeRun run(request);
    run.cannotLink = unit;
    EXPECT_EQ(llvm::toString(run.run().takeError()), "no imports");
    auto contents = llvm::MemoryBuffer::getFile(path);
    ASSERT_TRUE(bool(contents));
    EXPECT_EQ((*contents)->getBuffer() == "earlier", unit == "unit1") << unit;
  }
}

TEST(ProgramRun, AGuestCallbackIsNoCallOfTheProgram) {
  RunRequest request = twoUnits();
  FakeRun run(request);
  run.main = [](FakeRun &self, llvm::MutableArrayRef<uint64_t>) {
    self.last().fuel = 100;
    {
      GuestCallback callback(self);
      EXPECT_EQ(self.last().fuel, 0u);
      self.last().fuel = 17;
      self.tracePoint(self.last(), 16777216);
      self.hostEnd_ = GuestEnd{3, ""};
      EXPECT_EQ(llvm::toString(callback.end("left", 0).takeError()), "it ended with exit code 3");
      EXPECT_EQ(llvm::cantFail(callback.end(std::nullopt, 9)), 9u);
    }
    self.end("unreachable");
  };
  RunResult result = resultOf(run);
  EXPECT_EQ(result.fuel, 100u);
  ASSERT_TRUE(result.trap);
  EXPECT_TRUE(result.trap->openCalls.empty());
}

} // namespace
