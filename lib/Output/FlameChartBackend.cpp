//===- FlameChartBackend.cpp - Calls over time as an SVG file -------------===//
// SPDX-License-Identifier: Apache-2.0
//
// A zoomable picture of the whole record: time runs from left to right, callees are below their
// callers, and each stream has its own rows. More than a few thousand frames would make browsers
// slow, so beyond that, short calls are drawn as blocks.
//
//===----------------------------------------------------------------------===//

#include "svg/FramePicture.h"
#include "timeline/CallBlocks.h"
#include "timeline/DepthLimit.h"
#include "timeline/PictureTimeline.h"
#include "warpo/Output/ProfileBackend.h"
#include "warpo/Output/Quantities.h"

using namespace llvm;
using namespace warpo;

static constexpr size_t maxBlocks = 8000;
static constexpr uint64_t maxDepth = 1000;
// Frames that are not functions of the record.
static constexpr FunctionIndex lostFunction = noFunction;
static constexpr FunctionIndex deeperFunction = noFunction - 1;

namespace {

struct StreamState {
  StreamClock clock;
  /// Times are nanoseconds. While a call is open, `self` is minus the time of its callees.
  std::vector<CallBlock> open;
  uint64_t depth = 0;
  uint64_t begun = 0;
};

class FlameChartBackend final : public PictureTimeline<StreamState> {
public:
  StringRef extension() const override { return ".svg"; }
  bool canLeaveOut() const override { return true; }
  Error finish() override;

  TimelineSummary summary() const override {
    TimelineSummary result;
    result.events = events_;
    limit_.addNote(result, "a picture of more levels cannot be read");
    blocks_.addNote(result, info_->unit, "more frames would make browsers slow");
    return result;
  }

private:
  void take(StreamIndex index, StreamState &stream, const Event &event) override {
    DepthLimit::Show show = limit_.take(event.kind, stream.depth);
    if (show == DepthLimit::Show::nothing)
      return;
    if (isEnd(event.kind))
      close(index, stream, event.time);
    else
      open(stream, event.time, show == DepthLimit::Show::call ? event.function : deeperFunction);
  }

  void takeLost(StreamIndex index, StreamState &stream, const LostRange &range) override {
    open(stream, range.from, lostFunction);
    close(index, stream, range.to);
  }

  void open(StreamState &stream, uint64_t counts, FunctionIndex function) {
    CallBlock block;
    block.start = stream.clock.advance(info_->scale, counts);
    block.number = ++stream.begun;
    block.caller = stream.open.empty() ? 0 : stream.open.back().number;
    block.depth = uint32_t(stream.open.size() + 1);
    block.function = function;
    block.lost = function == lostFunction;
    stream.open.push_back(block);
  }

  void close(StreamIndex index, StreamState &stream, uint64_t counts) {
    CallBlock ended = stream.open.back();
    stream.open.pop_back();
    ended.end = stream.clock.advance(info_->scale, counts);
    ended.self += ended.duration();
    bool waited = isSuspension(ended);
    if (waited)
      ended.suspended += ended.self;
    if (ended.function != info_->leftOut) {
      blocks_.add(index, ended);
      calls_ += !waited && !ended.lost;
    }
    if (stream.open.empty())
      return;
    stream.open.back().self -= ended.duration();
    stream.open.back().suspended += ended.suspended;
  }

  bool isSuspension(const CallBlock &block) const {
    return block.function < info_->functions.size() &&
           info_->functions.isSuspension(block.function);
  }

  std::string time(uint64_t duration) const { return formatWeight(duration, info_->unit); }
  std::string summaryLine() const;
  std::string details(const CallBlock &block, uint64_t undrawn) const;
  PictureFrame pictureOf(const CallBlock &block, uint64_t undrawn) const;

  CallBlocks blocks_{maxBlocks};
  DepthLimit limit_{maxDepth};
  uint64_t calls_ = 0;
  /// The time span of the whole width, in nanoseconds.
  uint64_t start_ = 0;
  uint64_t total_ = 0;
};

/// By block: the time of its direct callees that are not drawn.
std::vector<uint64_t> undrawnTimes(const std::vector<CallBlock> &blocks) {
  std::vector<uint64_t> result;
  std::vector<size_t> callers;
  for (size_t i = 0; i < blocks.size(); ++i) {
    result.push_back(blocks[i].spent - blocks[i].self);
    callers.resize(blocks[i].depth - 1);
    if (!callers.empty())
      result[callers.back()] -= blocks[i].spent;
    callers.push_back(i);
  }
  return result;
}

Error FlameChartBackend::finish() {
  uint64_t end;
  std::tie(start_, end) = streams_.range();
  total_ = end - start_;
  blocks_.finish();

  std::vector<StreamIndex> shown;
  for (StreamIndex stream = 0; stream < blocks_.streams().size(); ++stream)
    if (!blocks_.streams()[stream].empty())
      shown.push_back(stream);
  // The row above the first one of each drawn stream.
  std::vector<uint32_t> tops;
  bool several = shown.size() > 1;
  uint32_t levels = 1;
  for (StreamIndex stream : shown) {
    tops.push_back(several ? levels : 0);
    uint32_t deepest = 0;
    for (const CallBlock &block : blocks_.streams()[stream])
      deepest = std::max(deepest, block.depth);
    levels = tops.back() + deepest + 1;
  }

  FramePicture picture({.title = displayName(info_->title),
                        .summary = summaryLine(),
                        .unit = info_->unit,
                        .total = total_,
                        .levels = levels,
                        .isTimeline = true},
                       *os_);
  picture.writeHead();
  PictureFrame row;
  row.classes = "frame all time";
  row.name = "all";
  row.details = time(total_);
  row.weight = total_;
  picture.write(row);
  for (auto [stream, top] : zip_equal(shown, tops)) {
    if (several) {
      row.classes = "frame all stream";
      row.name = displayName(info_->streamName(stream));
      row.level = top;
      picture.write(row);
    }
    const std::vector<CallBlock> &blocks = blocks_.streams()[stream];
    std::vector<uint64_t> undrawn = undrawnTimes(blocks);
    for (size_t i = 0; i < blocks.size(); ++i) {
      PictureFrame frame = pictureOf(blocks[i], undrawn[i]);
      frame.level = top + blocks[i].depth;
      picture.write(frame);
    }
  }
  picture.writeTail();
  return Error::success();
}

std::string FlameChartBackend::summaryLine() const {
  if (blocks_.added() == 0)
    return "no calls";
  std::string text =
      time(total_) + (hasSamples_ ? " in samples" : ", " + formatWeight(calls_, "calls"));
  if (blocks_.shortest() > 0)
    text += "; neighbours shorter than " + time(blocks_.shortest()) + " are one block";
  return text;
}

std::string FlameChartBackend::details(const CallBlock &block, uint64_t undrawn) const {
  std::string text;
  // The name of a block of several calls says so.
  if (block.calls > 1 && block.function != CallBlock::mixed)
    text = formatWeight(block.calls, "calls") + ", ";
  text += time(block.spent) + " (" + formatShare(block.spent, total_) + ")";
  if (block.spent < block.duration())
    text += " within " + time(block.duration());
  text += " from " + time(block.start - start_) + " on, self " + time(block.self);
  if (block.suspended > 0 && !isSuspension(block))
    text += ", suspended " + time(block.suspended);
  if (undrawn > 0)
    text += ", " + time(undrawn) + " in calls not drawn";
  if (block.lost && block.function != lostFunction)
    text += ", with losses";
  return text;
}

PictureFrame FlameChartBackend::pictureOf(const CallBlock &block, uint64_t undrawn) const {
  PictureFrame frame;
  frame.start = block.start - start_;
  frame.weight = block.duration();
  frame.spent = block.spent;
  frame.self = block.self;
  frame.details = details(block, undrawn);
  if (block.function == CallBlock::mixed) {
    frame.classes = "frame rest several";
    frame.name = formatWeight(block.calls, "calls");
  } else if (block.function == lostFunction || block.function == deeperFunction) {
    frame.classes = "frame rest";
    frame.name = block.function == lostFunction ? "[lost]" : DepthLimit::deeperName.str();
    frame.count = block.calls;
  } else {
    const Function &function = info_->functions[block.function];
    frame.name = displayName(function.name);
    frame.count = block.calls;
    frame.source = sourceDetails(function.file, function.line, function.inlined.vec());
    frame.url = info_->sourceUrl.of(function.file, function.line);
    frame.classes = functionClasses(frame.name);
  }
  if (block.lost)
    frame.classes = "frame lost";
  return frame;
}

warpo::Registry<TimelineBackend>::Add<FlameChartBackend>
    registration("flamechart", "calls over time as a picture to zoom in, for browsers");

} // namespace
