// SPDX-License-Identifier: Apache-2.0
// Phases follow each other, and say only what is known of them.
#include "PhaseLog.h"

#include "gtest/gtest.h"
#include <string>

using namespace warpo;

namespace {

std::string describe(const PhaseLog &log) {
  std::string text;
  for (const PhaseLog::Phase &phase : log.phases()) {
    text += (text.empty() ? "" : ", ") + std::string(phase.name);
    if (phase.unit)
      text += " " + std::to_string(phase.ticks) + " " + phase.unit;
  }
  return text;
}

TEST(PhaseLog, OneEndsWhereTheNextBegins) {
  PhaseLog log;
  log.begin("decode");
  log.end("bytes", 8);
  log.begin("link");
  log.begin("run");
  log.end();
  EXPECT_EQ(describe(log), "decode 8 bytes, link, run");
  uint64_t last = 0;
  for (const PhaseLog::Phase &phase : log.phases()) {
    EXPECT_LE(last, phase.begin.nanoseconds) << phase.name;
    EXPECT_LE(phase.begin.nanoseconds, phase.end.nanoseconds) << phase.name;
    last = phase.end.nanoseconds;
  }
}

TEST(PhaseLog, WhatHasEndedStays) {
  PhaseLog log;
  log.end();
  log.end("bytes", 1);
  EXPECT_EQ(describe(log), "");
  log.begin("run");
  log.end("fuel", 5);
  uint64_t end = log.phases().front().end.nanoseconds;
  log.end("bytes", 6);
  log.end();
  EXPECT_EQ(describe(log), "run 5 fuel");
  EXPECT_EQ(log.phases().front().end.nanoseconds, end);
}

} // namespace
