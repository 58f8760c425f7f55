//===- StackSamplerTest.cpp - The signals of an embedder are its own ------===//
// SPDX-License-Identifier: Apache-2.0

#include "native/StackSampler.h"
#include "RecordSession.h"
#include "gtest/gtest.h"
#include <csignal>

using namespace llvm;
using namespace warpo;

namespace {

volatile sig_atomic_t heard = 0;
void hear(int) { heard = heard + 1; }

/// The handlers of all real-time signals, as they are now.
std::vector<struct sigaction> handlers() {
  std::vector<struct sigaction> all(SIGRTMAX - SIGRTMIN + 1);
  for (size_t i = 0; i < all.size(); ++i)
    sigaction(SIGRTMIN + int(i), nullptr, &all[i]);
  return all;
}

size_t taken(const std::vector<struct sigaction> &before,
             const std::vector<struct sigaction> &now) {
  size_t changed = 0;
  for (size_t i = 0; i < now.size(); ++i)
    changed += before[i].sa_handler != now[i].sa_handler;
  return changed;
}

class StackSamplerTest : public testing::Test {
protected:
  void SetUp() override {
    if (!StackSampler::isSupported())
      GTEST_SKIP();
    auto session = RecordSession::open(target_, /*isPlain=*/true);
    ASSERT_TRUE(bool(session)) << toString(session.takeError());
    session_ = std::move(*session);
    samples_ = std::make_unique<EngineSamples>(*session_, nullptr);
    before_ = handlers();
  }
  void TearDown() override {
    for (size_t i = 0; i < before_.size(); ++i)
      sigaction(SIGRTMIN + int(i), &before_[i], nullptr);
  }
  Expected<std::unique_ptr<StackSampler>> create() {
    return StackSampler::create(host_, {0, 0}, std::chrono::milliseconds(1), NativeStacks(),
                                *samples_);
  }

  RecordTarget target_;
  warpo_native_host host_ = {};
  std::unique_ptr<RecordSession> session_;
  std::unique_ptr<EngineSamples> samples_;
  std::vector<struct sigaction> before_;
};

TEST_F(StackSamplerTest, TakesOneSignalThatHasNoHandler) {
  // The first ones are the embedder's.
  signal(SIGRTMIN, hear);
  signal(SIGRTMIN + 1, SIG_IGN);
  const std::vector<struct sigaction> own = handlers();
  auto sampler = create();
  ASSERT_TRUE(bool(sampler)) << toString(sampler.takeError());
  EXPECT_EQ(taken(own, handlers()), 1U);
  heard = 0;
  raise(SIGRTMIN);
  raise(SIGRTMIN + 1);
  EXPECT_EQ(heard, 1);
  sampler->reset();
  EXPECT_EQ(taken(own, handlers()), 0U);
}

TEST_F(StackSamplerTest, TakesNoneThatAnEmbedderHas) {
  for (int signal = SIGRTMIN; signal <= SIGRTMAX; ++signal)
    std::signal(signal, hear);
  const std::vector<struct sigaction> own = handlers();
  EXPECT_EQ(toString(create().takeError()),
            "no signal is free for a sampler: all real-time signals have handlers");
  EXPECT_EQ(taken(own, handlers()), 0U);
}

} // namespace
