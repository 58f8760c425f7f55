//===- FoldedTimeBackend.cpp - Collapsed stacks in time order -------------===//
// SPDX-License-Identifier: Apache-2.0
//
//   file := line*
//   line := stream (";" frame)+ " " weight "\n"       the outermost frame first
//   weight: nanoseconds, or counts of another clock
//
// A line for each time span of a call without its callees, in time order within each stream:
// readers call this a flame chart. Nothing is added up; time in the host and calls without self
// time have no lines.
//
//===----------------------------------------------------------------------===//

#include "text/FoldedFrame.h"
#include "text/JsonText.h"
#include "text/TextBuffer.h"
#include "timeline/BatchWalk.h"
#include "timeline/DepthLimit.h"
#include "llvm/Support/StringSaver.h"
#include <optional>

using namespace llvm;
using namespace warpo;

// A line has its whole stack: without a limit, a deep recursion would make output of quadratic
// size.
static constexpr uint64_t maxDepth = 1000;

namespace {

/// The open calls of a stream, as the text of its next line.
struct OpenStack {
  std::string text;
  /// Where the text of each open call begins.
  std::vector<size_t> starts;
  uint64_t depth = 0;
  /// Whether an open call is left out.
  bool isLeftOut = false;
  /// In nanoseconds; everything before it has been written.
  uint64_t lastTime = 0;
};

class FoldedTimeBackend : public CallTimeline {
public:
  StringRef extension() const override { return ".folded"; }
  bool isBinary() const override { return false; }
  bool saysUnit() const override { return true; }
  bool canLeaveOut() const override { return true; }

  Error begin(const TimelineInfo &info, const TimelineOptions &, raw_ostream &os) override {
    info_.emplace(info);
    out_.emplace(os);
    return Error::success();
  }

  Error events(const EventBatch &batch) override {
    OpenStack &stack = stackOf(batch.stream);
    walkBatch(
        batch,
        [&](ArrayRef<Event> events) {
          for (const Event &event : events)
            take(stack, event);
          events_ += events.size();
        },
        [&](const LostRange &range) {
          if (!limit_.hasRoom(stack.depth))
            return;
          writeUpTo(stack, range.from);
          push(stack, "[lost]");
          writeUpTo(stack, range.to);
          pop(stack);
        });
    return Error::success();
  }

  Error finish() override {
    out_->flush();
    return Error::success();
  }

  TimelineSummary summary() const override {
    TimelineSummary result;
    result.events = events_;
    limit_.addNote(result, "each line holds its whole stack");
    return result;
  }

private:
  OpenStack &stackOf(StreamIndex stream) {
    while (stacks_.size() <= stream) {
      std::string name = foldedFrame(info_->streamName(StreamIndex(stacks_.size())));
      stacks_.emplace_back().text = std::move(name);
    }
    return stacks_[stream];
  }

  void take(OpenStack &stack, const Event &event) {
    DepthLimit::Show show = limit_.take(event.kind, stack.depth);
    if (show == DepthLimit::Show::nothing)
      return;
    writeUpTo(stack, event.time);
    if (event.function == info_->leftOut)
      stack.isLeftOut = !isEnd(event.kind);
    else if (isEnd(event.kind))
      pop(stack);
    else
      push(stack, show == DepthLimit::Show::call ? nameOf(event.function)
                                                 : StringRef(DepthLimit::deeperName));
  }

  static void push(OpenStack &stack, StringRef name) {
    stack.starts.push_back(stack.text.size());
    stack.text += ';';
    stack.text += name;
  }
  static void pop(OpenStack &stack) {
    stack.text.resize(stack.starts.back());
    stack.starts.pop_back();
  }

  void writeUpTo(OpenStack &stack, uint64_t counts) {
    uint64_t now = std::max(info_->scale.toNanoseconds(counts), stack.lastTime);
    uint64_t weight = now - stack.lastTime;
    stack.lastTime = now;
    if (weight == 0 || stack.starts.empty() || stack.isLeftOut)
      return;
    char *at = out_->reserve(stack.text.size() + maxDecimal + 2);
    at = TextBuffer::copy(at, stack.text);
    *at++ = ' ';
    at = writeDecimal(at, weight);
    *at++ = '\n';
    out_->advanceTo(at);
  }

  StringRef nameOf(FunctionIndex function) {
    if (function >= names_.size())
      names_.resize(info_->functions.size());
    StringRef &name = names_[function];
    if (name.empty())
      name = saver_.save(foldedFrame(info_->functions[function].name));
    return name;
  }

  std::optional<TimelineInfo> info_;
  std::optional<TextBuffer> out_;
  std::vector<OpenStack> stacks_;
  DepthLimit limit_{maxDepth};
  BumpPtrAllocator allocator_;
  StringSaver saver_{allocator_};
  std::vector<StringRef> names_;
  uint64_t events_ = 0;
};

warpo::Registry<TimelineBackend>::Add<FoldedTimeBackend>
    registration("folded-time", "collapsed stacks in time order, for flame charts");

} // namespace
