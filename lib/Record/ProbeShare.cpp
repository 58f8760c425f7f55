//===- ProbeShare.cpp -----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Record/ProbeShare.h"
#include "warpo/Record/HandOver.h"
#include <algorithm>

using namespace llvm;
using namespace warpo;

void ProbeShare::add(const RecordBatch &batch, StreamIndex stack, std::optional<TimeScale> scale) {
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
  leafCalls_.add(batch, scale);
  size_t handOver = handOverIn(batch);
  if (handOver == 0)
    return;
  ++handOvers_;
  handOverTime_ += batch.times[handOver] - batch.times[handOver - 1];
}

ProbeShare::Share ProbeShare::of(ProbeCost stated) const {
  double lasted = 0;
  double stretches = double(entries_);
  for (const Span &span : spans_) {
    lasted += double(span.last - span.first);
    stretches -= span.isKnown;
  }
  ProbeRange cost = range(stated);
  if (lasted == 0 || cost.likely == 0)
    return {};
  // As long as elsewhere, and what is beyond that was the recorder's.
  double others = std::max(stretches - double(handOvers_), 1.0);
  double usual = (lasted - double(handOverTime_)) / others * double(handOvers_);
  double waited = std::max(0.0, double(handOverTime_) - usual);
  auto share = [&](double cost) {
    return std::min(1.0, (double(entries_) * cost + waited) / lasted);
  };
  return {share(cost.least), share(cost.likely), share(cost.most)};
}
