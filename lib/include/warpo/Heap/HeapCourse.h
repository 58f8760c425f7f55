//===- HeapCourse.h - How heaps grow and shrink, to be drawn --------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_HEAP_HEAPCOURSE_H
#define WARPO_HEAP_HEAPCOURSE_H

#include "warpo/Heap/HeapAnalysis.h"
#include <vector>

namespace warpo {

/// Keeps of moments, which come in the order of time, some thousands: of each of equal spans of
/// time the one at which most was live, and the last one.
class HeapCourse {
public:
  static constexpr size_t maxSpans = 4096;

  void add(const HeapMoment &moment);
  /// In the order of time.
  std::vector<HeapMoment> moments() const;

private:
  struct Span {
    uint64_t number;
    HeapMoment most, last;
    void add(const Span &later);
  };
  void add(std::vector<Span> &spans, const Span &span) const;

  uint64_t start_ = 0;
  /// Of a span, as a power of two of counts.
  unsigned widthBits_ = 0;
  std::vector<Span> spans_;
};

} // namespace warpo

#endif
