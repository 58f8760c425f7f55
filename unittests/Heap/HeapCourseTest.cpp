//===- HeapCourseTest.cpp - Moments that are kept of a heap ---------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Heap/HeapCourse.h"
#include <gtest/gtest.h>

using namespace warpo;

namespace {

HeapMoment moment(uint64_t time, uint64_t bytes) {
  return {.time = time, .live = {.parts = 0, .bytes = bytes}, .memory = 65536};
}

TEST(HeapCourse, KeepsAPeakThatEndsInTheSameCount) {
  HeapCourse course;
  for (uint64_t bytes : {10, 1000, 20})
    course.add(moment(5, bytes));
  course.add(moment(6, 20));
  std::vector<HeapMoment> moments = course.moments();
  ASSERT_EQ(moments.size(), 3u);
  EXPECT_EQ(moments[0].live.bytes, 1000u);
  EXPECT_EQ(moments[1].live.bytes, 20u);
  EXPECT_EQ(moments[1].time, 5u);
  EXPECT_EQ(moments[2].time, 6u);
}

TEST(HeapCourse, KeepsThePeaksOfALongRun) {
  HeapCourse course;
  constexpr uint64_t count = 100000;
  for (uint64_t time = 0; time < count; ++time)
    course.add(moment(time, time == 77777 ? 5000 : time % 7));
  std::vector<HeapMoment> moments = course.moments();
  EXPECT_LE(moments.size(), 2 * HeapCourse::maxSpans);
  uint64_t before = 0, most = 0, timeOfMost = 0;
  for (const HeapMoment &kept : moments) {
    EXPECT_LE(before, kept.time);
    before = kept.time;
    if (kept.live.bytes > most) {
      most = kept.live.bytes;
      timeOfMost = kept.time;
    }
  }
  EXPECT_EQ(most, 5000u);
  EXPECT_EQ(timeOfMost, 77777u);
  EXPECT_EQ(before, count - 1);
}

} // namespace
