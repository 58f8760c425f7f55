//===- ProbeShare.cpp -----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Record/ProbeShare.h"
#include "warpo/Support/SectionId.h"
#include "llvm/ADT/STLExtras.h"
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
  for (const auto &[time, id] : zip_equal(batch.times, batch.ids)) {
    if (id == recordingId)
      span.recordingSince = time;
    else if (id == -recordingId && span.recordingSince)
      span.recording += time - std::min(time, *std::exchange(span.recordingSince, std::nullopt));
  }
}

ProbeShare::Share ProbeShare::of(ProbeCost stated) const {
  double lasted = 0;
  for (const Span &span : spans_)
    lasted += double(span.last - span.first) - double(span.recording);
  ProbeRange cost = range(stated);
  if (lasted <= 0 || cost.likely == 0)
    return {};
  auto share = [&](double cost) { return std::min(1.0, double(entries_) * cost / lasted); };
  return {share(cost.least), share(cost.likely), share(cost.most)};
}
