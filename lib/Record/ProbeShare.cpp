//===- ProbeShare.cpp -----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Record/ProbeShare.h"
#include <algorithm>

using namespace llvm;
using namespace warpo;

void ProbeShare::add(const RecordBatch &batch, StreamIndex stack) {
  if (batch.times.empty())
    return;
  if (stack >= spans_.size())
    spans_.resize(stack + 1);
  Span &span = spans_[stack];
  if (!span.isKnown)
    span.first = batch.times.front();
  span.last = std::max(span.last, batch.times.back());
  span.isKnown = true;
  entries_ += batch.size();
}

double ProbeShare::of(ProbeCost cost) const {
  double lasted = 0;
  for (const Span &span : spans_)
    lasted += double(span.last - span.first);
  if (lasted == 0)
    return 0;
  // Nearly every call has both.
  double entry = (double(cost.begin) + double(cost.end)) / 2 / double(ProbeCost::partsOfCount);
  return std::min(1.0, double(entries_) * entry / lasted);
}
