//===- ProbeSubtraction.cpp -----------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Record/ProbeSubtraction.h"
#include "warpo/Support/SectionId.h"
#include <algorithm>
#include <cstdlib>

using namespace llvm;
using namespace warpo;

static constexpr uint64_t parts = ProbeCost::partsOfCount;
static constexpr int64_t maxLeft = int64_t(1) << 60;
/// A function's debt beyond this is dropped, so that sums stay within 64 bits.
static constexpr uint64_t maxOwed = uint64_t(1) << 60;

ProbeSubtraction::ProbeSubtraction(std::unique_ptr<RecordReader> reader, RecordingEffects effects,
                                   Together together)
    : RecordFilter(std::move(reader)), effects_(std::move(effects)), together_(together) {
  if (clockWaits().areMost()) {
    effects_.range.cost = {};
    effects_.step = 0;
  }
}

double ProbeSubtraction::subtractedShare() const { return charged_ == 0 ? 0 : paid_ / charged_; }

ProbeSubtraction::Account &ProbeSubtraction::accountOf(Stack &stack) {
  for (size_t i = stack.accounts.size(); i < stack.functions.size(); ++i)
    stack.accounts.push_back({0, 0,
                              clockWaits().areMost()
                                  ? std::numeric_limits<uint64_t>::max()
                                  : clockWaits().leastOf(stack.functions.idOf(i)),
                              clockWaits().usualOf(stack.functions.idOf(i))});
  return stack.accounts[stack.functions.innermost()];
}

/// By how much the stretch between two entries is shorter without the trace point in it.
uint64_t ProbeSubtraction::moveBy(Clock &clock, uint64_t passed) {
  Account &account = accountOf(stacks_[clock.lastStack]);
  clock.unmeasured = std::min(clock.unmeasured + account.usual, maxOwed);
  bool isStep = passed > 0;
  uint64_t waited = 0;
  if (passed >= account.leastWait) {
    waited = passed - std::min(passed, clock.unmeasured / parts);
    waits_ += waited > 0;
    waited_ += waited;
    passed -= waited;
  }
  if (isStep) {
    ++steps_;
    clock.unmeasured = 0;
  }
  uint64_t cost = clock.lastCost + (isStep ? effects_.step : 0);
  charged_ += double(cost);
  account.owed = std::min(account.owed + cost, maxOwed);
  account.left = std::clamp(account.left - int64_t(effects_.leastWork), -maxLeft, maxLeft) +
                 int64_t(std::min(passed, uint64_t(maxLeft) / parts) * parts);
  uint64_t mayPay = account.left > 0 ? uint64_t(account.left) / parts : 0;
  uint64_t paid = std::min({account.owed / parts, passed, mayPay});
  account.owed -= paid * parts;
  account.left -= int64_t(paid * parts);
  paid_ += double(paid * parts);
  subtracted_ += paid;
  recorded_ += passed;
  return waited + paid;
}

Expected<bool> ProbeSubtraction::next(RecordBatch &batch) {
  auto more = reader().next(batch);
  if (!more || !*more)
    return more;
  StreamIndex index = header().stackOf(batch.stream);
  if (index >= stacks_.size())
    stacks_.resize(index + 1);
  Stack &stack = stacks_[index];
  Clock &clock = clocks_[clockOf(batch.stream)];
  times_.resize(batch.size());
  entries_ += batch.size();
  for (size_t i = 0; i < batch.size(); ++i) {
    // The recorder's own time is left out of all sums, and its entries cost no trace point.
    if (std::abs(batch.ids[i]) == recordingId) {
      clock.lastTime = batch.times[i];
      clock.unmeasured = 0;
      times_[i] = batch.times[i] - clock.offset;
      continue;
    }
    if (clock.hasEntry)
      clock.offset += moveBy(clock, batch.times[i] - clock.lastTime);
    clock.hasEntry = true;
    clock.lastTime = batch.times[i];
    clock.lastCost = batch.ids[i] > 0 ? effects_.range.cost.begin : effects_.range.cost.end;
    clock.lastStack = index;
    times_[i] = batch.times[i] - clock.offset;
    stack.functions.follow(batch.ids[i]);
  }
  recordedTimes_ = std::exchange(batch.times, times_);
  return true;
}
