//===- HeapCourse.h - The course of heaps over time, for drawing ----------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_HEAP_HEAPCOURSE_H
#define WARPO_HEAP_HEAPCOURSE_H

#include "warpo/Heap/HeapAnalysis.h"
#include <vector>

namespace warpo {

/// Reduces a sequence of moments, in order of time, to some thousands: for each of equal spans of
/// time, the moment with most live bytes and the last one.
class HeapCourse {
public:
  static constexpr size_t maxSpans = 4096;

  void add(const HeapMoment &moment);
  /// In order of time.
  std::vector<HeapMoment> moments() const;

private:
  struct Span {
    uint64_t number;
    HeapMoment most, last;
    void add(const Span &later);
  };
  void add(std::vector<Span> &spans, const Span &span) const;

  uint64_t start_ = 0;
  /// The width of a span is 2 to this power, in counts.
  unsigned widthBits_ = 0;
  std::vector<Span> spans_;
};

} // namespace warpo

#endif
