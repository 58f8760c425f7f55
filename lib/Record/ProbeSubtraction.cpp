//===- ProbeSubtraction.cpp -----------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Record/ProbeSubtraction.h"
#include "warpo/Support/SectionId.h"
#include <algorithm>

using namespace llvm;
using namespace warpo;

static constexpr uint64_t parts = ProbeCost::partsOfCount;
/// What a function owes beyond this it never pays; sums stay within 64 bits.
static constexpr uint64_t maxOwed = uint64_t(1) << 60;
/// So many stretches say how long those of a function last.
static constexpr uint64_t knownStretches = 16;

double ProbeSubtraction::subtractedShare() const { return charged_ == 0 ? 0 : paid_ / charged_; }

/// By how much the stretch between two entries is shorter without the trace point in it.
uint64_t ProbeSubtraction::moveBy(Stack &stack, uint64_t passed, bool isHandOver) {
  Account &account = stack.accounts[stack.open.empty() ? 0 : stack.open.back().account];
  uint64_t waited = 0;
  if (isHandOver && account.stretches >= knownStretches)
    waited = passed - std::min(passed, account.time / account.stretches);
  uint64_t left = passed - waited;
  if (waited == 0) {
    ++account.stretches;
    account.time += passed;
  }
  charged_ += double(stack.lastCost);
  account.owed = std::min(account.owed + stack.lastCost, maxOwed);
  uint64_t paid = std::min(account.owed / parts, left);
  account.owed -= paid * parts;
  paid_ += double(paid * parts);
  return waited + paid;
}

void ProbeSubtraction::follow(Stack &stack, int32_t id) {
  std::vector<OpenCall> &open = stack.open;
  // The end behind it is that of the call which it took.
  if (id == trapId)
    return;
  if (id > 0) {
    auto [place, isNew] = stack.accountOf.try_emplace(id, stack.accounts.size());
    if (isNew)
      stack.accounts.emplace_back();
    open.push_back({id, place->second});
    return;
  }
  auto ended = std::find_if(open.rbegin(), open.rend(),
                            [&](const OpenCall &call) { return call.id == -int64_t(id); });
  if (ended != open.rend())
    open.erase(std::prev(ended.base()), open.end());
}

Expected<bool> ProbeSubtraction::next(RecordBatch &batch) {
  auto more = reader().next(batch);
  if (!more || !*more)
    return more;
  StreamIndex index = header().stackOf(batch.stream);
  if (index >= stacks_.size())
    stacks_.resize(index + 1);
  Stack &stack = stacks_[index];
  times_.resize(batch.size());
  entries_ += batch.size();
  for (size_t i = 0; i < batch.size(); ++i) {
    if (stack.hasEntry) {
      uint64_t passed = batch.times[i] - stack.lastTime;
      uint64_t moved = moveBy(stack, passed, i == 1);
      stack.offset += moved;
      subtracted_ += moved;
      recorded_ += passed;
    }
    stack.hasEntry = true;
    stack.lastTime = batch.times[i];
    stack.lastCost = batch.ids[i] > 0 ? range_.cost.begin : range_.cost.end;
    times_[i] = batch.times[i] - stack.offset;
    follow(stack, batch.ids[i]);
  }
  batch.times = times_;
  return true;
}
