//===- HeapCourse.cpp -----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Heap/HeapCourse.h"

using namespace warpo;

void HeapCourse::Span::add(const Span &later) {
  if (later.most.live.bytes > most.live.bytes)
    most = later.most;
  last = later.last;
}

void HeapCourse::add(std::vector<Span> &spans, const Span &span) const {
  if (!spans.empty() && spans.back().number == span.number)
    spans.back().add(span);
  else
    spans.push_back(span);
}

void HeapCourse::add(const HeapMoment &moment) {
  if (spans_.empty())
    start_ = moment.time;
  add(spans_, {(moment.time - start_) >> widthBits_, moment, moment});
  while (spans_.size() > maxSpans) {
    ++widthBits_;
    std::vector<Span> wider;
    for (Span &span : spans_) {
      span.number >>= 1;
      add(wider, span);
    }
    spans_ = std::move(wider);
  }
}

std::vector<HeapMoment> HeapCourse::moments() const {
  std::vector<HeapMoment> moments;
  for (const Span &span : spans_) {
    // An object may have been allocated and freed within one count of the clock.
    if (span.most.time != span.last.time || span.most.live.bytes != span.last.live.bytes)
      moments.push_back(span.most);
    moments.push_back(span.last);
  }
  return moments;
}
