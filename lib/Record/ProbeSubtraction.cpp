//===- ProbeSubtraction.cpp -----------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Record/ProbeSubtraction.h"
#include "warpo/Support/SectionId.h"
#include <algorithm>
#include <cstdlib>

using namespace llvm;
using namespace warpo;

static constexpr uint64_t parts = ProbeCost::partsOfCount;
/// A function's debt beyond this is dropped, so that sums stay within 64 bits.
static constexpr uint64_t maxOwed = uint64_t(1) << 60;

double ProbeSubtraction::subtractedShare() const { return charged_ == 0 ? 0 : paid_ / charged_; }

/// By how much the stretch between two entries is shorter without the trace point in it.
uint64_t ProbeSubtraction::moveBy(const Clock &clock, uint64_t passed) {
  Stack &stack = stacks_[clock.lastStack];
  Account &account = stack.accounts[stack.open.empty() ? 0 : stack.open.back()];
  charged_ += double(clock.lastCost);
  account.owed = std::min(account.owed + clock.lastCost, maxOwed);
  uint64_t paid = std::min(account.owed / parts, passed);
  account.owed -= paid * parts;
  paid_ += double(paid * parts);
  return paid;
}

void ProbeSubtraction::follow(Stack &stack, int32_t id) {
  // The end behind a trap is that of the call which it took; a trap has none of its own.
  if (id == trapId || id == -trapId)
    return;
  if (id > 0) {
    auto [place, isNew] = stack.accountOf.try_emplace(id, stack.accounts.size());
    if (isNew)
      stack.accounts.emplace_back();
    ++stack.accounts[place->second].openCalls;
    stack.open.push_back(place->second);
    return;
  }
  auto ended = stack.accountOf.find(-id);
  // Damaged records may have many ends without a begin, and a deep stack to search for each.
  if (ended == stack.accountOf.end() || stack.accounts[ended->second].openCalls == 0)
    return;
  uint32_t account;
  do {
    account = stack.open.back();
    stack.open.pop_back();
    --stack.accounts[account].openCalls;
  } while (account != ended->second);
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
      times_[i] = batch.times[i] - clock.offset;
      continue;
    }
    if (clock.hasEntry) {
      uint64_t passed = batch.times[i] - clock.lastTime;
      uint64_t moved = moveBy(clock, passed);
      clock.offset += moved;
      subtracted_ += moved;
      recorded_ += passed;
    }
    clock.hasEntry = true;
    clock.lastTime = batch.times[i];
    clock.lastCost = batch.ids[i] > 0 ? range_.cost.begin : range_.cost.end;
    clock.lastStack = index;
    times_[i] = batch.times[i] - clock.offset;
    follow(stack, batch.ids[i]);
  }
  recordedTimes_ = std::exchange(batch.times, times_);
  return true;
}
