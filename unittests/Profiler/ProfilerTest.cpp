// SPDX-License-Identifier: Apache-2.0
// Profiles that an embedder takes: an engine that tells of frames and fuel is played by the test.
#include "warpo/Profiler/Profiler.h"
#include "TestModule.h"

#include "gtest/gtest.h"
#include <thread>

using namespace llvm;
using namespace warpo;

namespace {

/// Plays an engine: each function asks at its entry and its exit.
class Program {
public:
  explicit Program(StringRef name)
      : instance_(cantFail(ProfiledInstance::create(
            moduleImporting({"sample", "enterFrame", "leaveFrame"}), name))) {
    instance_->setSamplePoint(&due_);
  }

  void call(int32_t id, uint64_t fuel, function_ref<void()> body = [] {}) {
    check();
    instance_->enterFrame(id);
    body();
    fuel_ += fuel;
    check();
    instance_->leaveFrame(id);
  }
  /// A function that never gets to its exit.
  void trap(int32_t id) { instance_->enterFrame(id); }

  ProfiledInstance &instance() { return *instance_; }
  uint64_t *samplePoint() { return &due_; }

private:
  void check() {
    // A timer changes it from its thread.
    if (fuel_ >= __atomic_load_n(&due_, __ATOMIC_RELAXED))
      __atomic_store_n(&due_, uint64_t(instance_->sample(int64_t(fuel_))), __ATOMIC_RELAXED);
  }

  std::unique_ptr<ProfiledInstance> instance_;
  uint64_t fuel_ = 0;
  uint64_t due_ = 0;
};

std::string folded(const TakenProfile &profile) {
  std::string text;
  raw_string_ostream os(text);
  cantFail(profile.write("folded", os));
  return text;
}

std::string textOf(Expected<TakenProfile> profile) {
  return profile ? folded(*profile) : "error: " + toString(profile.takeError());
}

TEST(Profiler, ModulesThatCountNoFuelNeedASamplePointAndAFrequency) {
  auto instance = cantFail(
      ProfiledInstance::create(timedModule({"sample", "enterFrame", "leaveFrame"}), "app.wasm"));
  Profiler profiler(*instance);
  EXPECT_EQ(textOf(profiler.profile([] {})),
            "error: app.wasm counts no fuel (--due=time): its samples need a sample point");
  uint64_t due = 0;
  instance->setSamplePoint(&due);
  EXPECT_EQ(textOf(profiler.everyFuel(5).profile([] {})),
            "error: app.wasm counts no fuel (--due=time): its samples need a frequency");
  EXPECT_FALSE(errorToBool(profiler.frequency(1000).profile([] {}).takeError()));
}

TEST(Profiler, ByFuelASampleHasWhatWasBurntSinceTheOneBefore) {
  Program program("app");
  Profiler profiler(program.instance());
  profiler.everyFuel(10).weightUnit(WeightUnit::Fuel);
  auto run = [&] { program.call(1, 20, [&] { program.call(2, 30); }); };
  EXPECT_EQ(textOf(profiler.profile(run)), "function #1 20\nfunction #1;function #2 30\n");
  // The second one begins with nothing.
  profiler.weightUnit(WeightUnit::Samples);
  EXPECT_EQ(textOf(profiler.profile(run)), "function #1 1\nfunction #1;function #2 1\n");
}

TEST(Profiler, ByTimeATimerLetsTheInstanceAsk) {
  Program program("app");
  Profiler profiler(program.instance());
  // The loop burns nothing: without the timer it would never ask.
  auto spin = [&] {
    program.call(1, 0, [&] {
      while (__atomic_load_n(program.samplePoint(), __ATOMIC_RELAXED) != 0)
        std::this_thread::yield();
    });
  };
  // On a slow machine the first sample is due before there is a frame, and the timer, late, asks
  // for it once more: only what it asks for after that has frames for certain.
  auto spinThrice = [&] {
    for (int i = 0; i < 3; ++i)
      spin();
  };
  auto profile = profiler.frequency(1000).profile([&] { program.call(2, 0, spinThrice); });
  ASSERT_TRUE(bool(profile)) << toString(profile.takeError());
  auto samples = profile->findWeight("samples");
  ASSERT_TRUE(samples);
  EXPECT_GE(profile->total(*samples), 1u);
  EXPECT_GE(profile->total(*profile->findWeight("time")), 1000000u);
  EXPECT_EQ(profile->unit(), "ns");
  EXPECT_EQ(profile->samplePeriod, (SamplePeriod{"time", "ns", 1000000}));
}

TEST(Profiler, AnInstanceThatIsNotProfiledAsksNoMore) {
  Program program("app");
  EXPECT_EQ(program.instance().sample(5), INT64_MAX);
  // But for one that nobody can wake: it asks now and then, and so a profile begins.
  program.instance().setSamplePoint(nullptr);
  EXPECT_EQ(program.instance().sample(5), 100005);
  program.call(2, 0);
  Profiler profiler(program.instance());
  auto profile = profiler.everyFuel(1000).weightUnit(WeightUnit::Fuel).profile([&] {
    program.call(1, 200000);
    program.call(1, 5000);
  });
  ASSERT_TRUE(bool(profile));
  EXPECT_EQ(profile->samplePeriod, (SamplePeriod{"fuel", "fuel", 1000}));
  EXPECT_EQ(textOf(std::move(profile)), "function #1 5000\n");
}

TEST(Profiler, SectionsAreFrames) {
  Program program("app");
  Profiler profiler(program.instance());
  profiler.everyFuel(10).weightUnit(WeightUnit::Fuel);
  auto profile = profiler.profile([&] {
    program.call(1, 0, [&] {
      program.instance().beginSection("part");
      program.call(2, 20);
      program.instance().endSection();
      program.instance().endSection(); // there is none
      program.call(2, 30);
      program.instance().beginSection("");
      program.call(2, 40);
    });
    program.call(1, 50);
  });
  // Now that some functions have names, those of the others are unknown.
  EXPECT_EQ(textOf(std::move(profile)),
            "unknown function #1 50\n"
            "unknown function #1;(unnamed section);unknown function #2 40\n"
            "unknown function #1;part;unknown function #2 20\n"
            "unknown function #1;unknown function #2 30\n");
}

TEST(Profiler, ALongNameOfASectionIsCutBetweenCharacters) {
  for (StringRef character : {"\xc3\xa4", "\xe2\x82\xac", "\xf0\x9f\x98\x80"}) {
    Program program("app");
    Profiler profiler(program.instance());
    profiler.everyFuel(10).weightUnit(WeightUnit::Fuel);
    std::string kept(1025 - character.size(), 'x');
    auto profile = profiler.profile([&] {
      program.instance().beginSection(kept + character.str() + "more");
      program.call(1, 20);
      program.instance().endSection();
    });
    EXPECT_EQ(textOf(std::move(profile)), kept + ";unknown function #1 20\n");
  }
}

TEST(Profiler, WhatCameBeforeATrapIsThereAndItsFramesAreForgotten) {
  Program program("app");
  Profiler profiler(program.instance());
  profiler.everyFuel(10).weightUnit(WeightUnit::Fuel);
  auto run = [&] {
    program.call(1, 10);
    program.trap(2);
  };
  EXPECT_EQ(textOf(profiler.profile(run)), "function #1 10\n");
  EXPECT_EQ(textOf(profiler.profile([&] { program.call(3, 10); })), "function #3 10\n");
}

TEST(Profiler, AFunctionThatIsLeftByAnExceptionLosesNothing) {
  Program program("app");
  Profiler profiler(program.instance());
  profiler.everyFuel(10).weightUnit(WeightUnit::Fuel);
  EXPECT_THROW(cantFail(profiler
                            .profile([&] {
                              program.call(1, 10);
                              throw 1;
                            })
                            .takeError()),
               int);
  // The profile is over there, whether or not somebody asks for it.
  EXPECT_FALSE(program.instance().isProfiled());
  program.call(3, 10);
  EXPECT_EQ(textOf(profiler.end()), "function #1 10\n");
  EXPECT_EQ(textOf(profiler.end()), "error: no profile of app has begun");
}

TEST(Profiler, AfterAnExceptionTheInstanceCanBeProfiledByOthers) {
  Program program("app");
  Profiler profiler(program.instance()), second(program.instance());
  EXPECT_THROW(cantFail(profiler.profile([] { throw 1; }).takeError()), int);
  second.everyFuel(10).weightUnit(WeightUnit::Fuel);
  EXPECT_EQ(textOf(second.profile([&] { program.call(2, 10); })), "function #2 10\n");
  // What nobody has asked for is forgotten when the next one begins.
  profiler.everyFuel(10).weightUnit(WeightUnit::Fuel);
  EXPECT_EQ(textOf(profiler.profile([&] { program.call(3, 10); })), "function #3 10\n");
  EXPECT_EQ(textOf(profiler.end()), "error: no profile of app has begun");
}

TEST(Profiler, WhatIsCalledBehindADeepRecursionHasItsFrames) {
  Program program("app");
  Profiler profiler(program.instance());
  profiler.everyFuel(10).weightUnit(WeightUnit::Samples);
  constexpr int depth = 70000;
  auto profile = profiler.profile([&] {
    program.call(1, 10, [&] {
      for (int i = 0; i < depth; ++i)
        program.instance().enterFrame(2);
      program.call(3, 10);
      for (int i = 0; i < depth; ++i)
        program.instance().leaveFrame(2);
      program.call(4, 10);
    });
  });
  std::string text = textOf(std::move(profile));
  EXPECT_NE(text.find("function #2;(deeper) 1\n"), std::string::npos) << text;
  EXPECT_NE(text.find("\nfunction #1;function #4 1\n"), std::string::npos) << text;
}

TEST(Profiler, ProfilesOfDifferentInstancesNest) {
  Program outer("outer"), inner("inner");
  Profiler ofOuter(outer.instance()), ofInner(inner.instance());
  ofOuter.everyFuel(10).weightUnit(WeightUnit::Fuel);
  ofInner.everyFuel(10).weightUnit(WeightUnit::Fuel);
  std::string innerText;
  auto profile = ofOuter.profile([&] {
    outer.call(1, 10, [&] { innerText = textOf(ofInner.profile([&] { inner.call(2, 30); })); });
  });
  EXPECT_EQ(innerText, "function #2 30\n");
  EXPECT_EQ(textOf(std::move(profile)), "function #1 10\n");
}

TEST(Profiler, ASecondProfileOfAnInstanceWithinTheFirstIsAnError) {
  Program program("app");
  Profiler profiler(program.instance()), second(program.instance());
  profiler.everyFuel(10).weightUnit(WeightUnit::Fuel);
  std::string text;
  auto profile = profiler.profile([&] {
    program.call(1, 10,
                 [&] { text = textOf(second.profile([&] { ADD_FAILURE() << "it was called"; })); });
  });
  EXPECT_EQ(text, "error: app is being profiled already");
  EXPECT_EQ(textOf(std::move(profile)), "function #1 10\n");
}

TEST(Profiler, WhatMakesNoSenseIsAnErrorBeforeAnythingIsCalled) {
  Program program("app");
  auto errorOf = [&](auto set) {
    Profiler profiler(program.instance());
    set(profiler);
    return textOf(profiler.profile([] { ADD_FAILURE() << "it was called"; }));
  };
  EXPECT_EQ(errorOf([](Profiler &profiler) { profiler.frequency(0); }),
            "error: the frequency of samples is 0, not a number from 1 to 1000000");
  EXPECT_EQ(errorOf([](Profiler &profiler) { profiler.frequency(1000000000); }),
            "error: the frequency of samples is 1000000000, not a number from 1 to 1000000");
  EXPECT_EQ(errorOf([](Profiler &profiler) { profiler.everyFuel(0); }),
            "error: the fuel between samples is 0, not a number from 1 to 2^63-1");
}

TEST(Profiler, AFormatThatIsUnknownIsAnErrorThatListsTheOthers) {
  Program program("app");
  auto profile = cantFail(Profiler(program.instance()).profile([] {}));
  EXPECT_EQ(folded(profile), "");
  std::string message = toString(profile.write("flame", nulls()));
  EXPECT_NE(message.find("'flame'"), std::string::npos) << message;
  EXPECT_NE(message.find("folded"), std::string::npos) << message;
}

TEST(ProfiledInstance, AModuleThatCannotBeSampledIsAnError) {
  struct {
    std::vector<StringRef> imports;
    StringRef message;
  } modules[] = {
      {{}, "app: it cannot be sampled: instrument it with --instrumentation=sample"},
      {{"tracePoint"}, "app: it cannot be sampled: instrument it with --instrumentation=sample"},
      {{"sample", "sampleCaller"},
       "app: it leaves the stack to the engine, but a profiler needs the module to keep it: "
       "instrument it with --stack=shadow"},
  };
  for (const auto &each : modules) {
    auto instance = ProfiledInstance::create(moduleImporting(each.imports), "app");
    ASSERT_FALSE(bool(instance));
    EXPECT_EQ(toString(instance.takeError()), each.message);
  }
  EXPECT_FALSE(errorToBool(
      ProfiledInstance::create(moduleImporting({"sample", "enterFrame"}), "app").takeError()));
  EXPECT_TRUE(errorToBool(ProfiledInstance::create({}, "app").takeError()));
}

} // namespace
