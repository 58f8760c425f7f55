//===- EventText.h - Traces and events as short text, for tables of tests -===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_UNITTESTS_SLICE_EVENTTEXT_H
#define WARPO_UNITTESTS_SLICE_EVENTTEXT_H

#include "warpo/Slice/Event.h"
#include "llvm/Support/raw_ostream.h"
#include <string>
#include <vector>

namespace warpo::test {

/// `10+1 20-1` : at 10 function 1 begins, at 20 it ends; an end's cause follows it if it is not the
/// call's own: `-1u` unwound, `-1o` open, `-1c` cut, `-1t` trapped. `{3..5}` a lost range, `{3..5
/// x2}` with its count, `{3..5 of 1}` with the function whose end was met.
class EventText : public CallSink {
public:
  explicit EventText(const FunctionTable &functions) : functions_(functions) {}

  llvm::Error events(const EventBatch &batch) override {
    llvm::ArrayRef<LostRange> lost = batch.lost;
    auto writeLost = [&](size_t position) {
      for (const LostRange &range : takeUpTo(lost, position))
        write(range);
    };
    for (size_t i = 0; i < batch.events.size(); ++i) {
      writeLost(i);
      const Event &event = batch.events[i];
      start() << event.time << (isEnd(event.kind) ? '-' : '+') << functions_[event.function].id;
      if (event.kind == EventKind::endUnwound)
        text_ += 'u';
      if (event.kind == EventKind::endOpen)
        text_ += 'o';
      if (event.kind == EventKind::endCut)
        text_ += 'c';
      if (event.kind == EventKind::endTrapped)
        text_ += 't';
    }
    writeLost(batch.events.size());
    return llvm::Error::success();
  }
  llvm::Error finish() override { return llvm::Error::success(); }
  const std::string &text() const { return text_; }

private:
  llvm::raw_string_ostream &start() {
    os_ << (text_.empty() ? "" : " ");
    return os_;
  }
  void write(const LostRange &range) {
    start() << '{' << range.from << ".." << range.to;
    if (range.count)
      os_ << " x" << range.count;
    if (range.function != noFunction)
      os_ << " of " << functions_[range.function].id;
    os_ << '}';
  }

  const FunctionTable &functions_;
  std::string text_;
  llvm::raw_string_ostream os_{text_};
};

/// Calls `check` with each sequence of up to `maxLength` entries over begins and ends of the
/// functions 1 to `functions`.
template <typename F> void forAllTraces(size_t maxLength, int32_t functions, F check) {
  std::vector<int32_t> trace;
  auto extend = [&](auto &self) -> void {
    check(llvm::ArrayRef<int32_t>(trace));
    if (trace.size() == maxLength)
      return;
    for (int32_t id = -functions; id <= functions; ++id) {
      if (id == 0)
        continue;
      trace.push_back(id);
      self(self);
      trace.pop_back();
    }
  };
  extend(extend);
}

} // namespace warpo::test

#endif
