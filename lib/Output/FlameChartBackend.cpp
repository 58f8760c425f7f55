//===- FlameChartBackend.cpp - Calls over time as an SVG file -------------===//
// SPDX-License-Identifier: Apache-2.0
//
// A picture of the whole record to zoom into: time goes from left to right, callees stand below
// their callers, and each stream has rows of its own. The longest calls are drawn, more would make
// browsers slow; the picture says how many are not.
//
//===----------------------------------------------------------------------===//

#include "svg/FramePicture.h"
#include "timeline/DepthLimit.h"
#include "timeline/LongestCalls.h"
#include "timeline/PictureTimeline.h"
#include "warpo/Output/ProfileBackend.h"
#include "warpo/Output/Quantities.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace warpo;

static constexpr size_t maxCalls = 8000;
static constexpr size_t maxSuspensions = 2000;
static constexpr uint64_t maxDepth = 1000;
// What is no function of the record.
static constexpr FunctionIndex lostFunction = noFunction;
static constexpr FunctionIndex deeperFunction = noFunction - 1;

namespace {

struct OpenCall {
  ChartCall call;
  /// Nanoseconds of the calls in it that have ended.
  uint64_t inCalls = 0;
  /// Nanoseconds that they were suspended.
  uint64_t suspended = 0;
};

struct StreamState {
  StreamClock clock;
  std::vector<OpenCall> open;
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
    if (longest_.added() > maxCalls)
      result.notes.push_back("of " + countOf(longest_.added(), "call") + " the longest " +
                             std::to_string(maxCalls) +
                             " are drawn: more would make browsers slow; --from and --to cut out a "
                             "piece to see all of");
    return result;
  }

private:
  void take(StreamIndex index, StreamState &stream, const Event &event) override {
    DepthLimit::Show show = limit_.take(event.kind, stream.depth);
    if (show == DepthLimit::Show::nothing)
      return;
    if (isEnd(event.kind))
      close(stream, event.time);
    else
      open(index, stream, event.time,
           show == DepthLimit::Show::call ? event.function : deeperFunction);
  }

  void takeLost(StreamIndex index, StreamState &stream, const LostRange &range) override {
    open(index, stream, range.from, lostFunction);
    close(stream, range.to);
    ++lostRanges_;
  }

  void open(StreamIndex index, StreamState &stream, uint64_t counts, FunctionIndex function) {
    uint64_t now = stream.clock.advance(info_->scale, counts);
    stream.open.push_back({{.start = now,
                            .number = stream.begun++,
                            .depth = uint32_t(stream.open.size() + 1),
                            .stream = index,
                            .function = function,
                            .caller = stream.open.empty() ? 0 : stream.open.back().call.number}});
  }

  void close(StreamState &stream, uint64_t counts) {
    uint64_t now = stream.clock.advance(info_->scale, counts);
    OpenCall &ended = stream.open.back();
    ended.call.duration = now - ended.call.start;
    ended.call.self = ended.call.duration - ended.inCalls;
    bool waited = isSuspension(ended.call);
    ended.call.suspended = ended.suspended + (waited ? ended.call.self : 0);
    if (waited)
      suspensions_.add(ended.call);
    else if (ended.call.function != info_->leftOut)
      longest_.add(ended.call);
    auto [duration, suspended] = std::pair(ended.call.duration, ended.call.suspended);
    stream.open.pop_back();
    if (stream.open.empty())
      return;
    stream.open.back().inCalls += duration;
    stream.open.back().suspended += suspended;
  }

  bool isSuspension(const ChartCall &call) const {
    return call.function < info_->functions.size() && info_->functions.isSuspension(call.function);
  }
  std::vector<ChartCall> takeDrawn();

  std::string time(uint64_t duration) const { return formatWeight(duration, info_->unit); }
  std::string summaryLine(const std::vector<ChartCall> &drawn, uint64_t total) const;
  PictureFrame pictureOf(const ChartCall &call, uint64_t undrawn) const;

  LongestCalls longest_{[](const ChartCall &call) { return call.ran(); }, maxCalls};
  /// Which would be nobody's if a call that has hardly run were not drawn, and it were.
  LongestCalls suspensions_{[](const ChartCall &call) { return call.suspended; }, maxSuspensions};
  DepthLimit limit_{maxDepth};
  uint64_t lostRanges_ = 0;
  /// Nanoseconds: what the whole width stands for.
  uint64_t start_ = 0;
  uint64_t total_ = 0;
};

/// Of each call, the time of the calls directly in it that are not drawn.
std::vector<uint64_t> undrawnTimes(const std::vector<ChartCall> &calls) {
  std::vector<uint64_t> result;
  // Of each level, the last call so far.
  std::vector<size_t> callers;
  for (size_t i = 0; i < calls.size(); ++i) {
    result.push_back(calls[i].duration - calls[i].self);
    callers.resize(calls[i].depth - 1);
    if (!callers.empty())
      result[callers.back()] -= calls[i].duration;
    callers.push_back(i);
  }
  return result;
}

/// What is kept and lies in nothing that is not: stream by stream, each behind what it lies in.
std::vector<ChartCall> FlameChartBackend::takeDrawn() {
  std::vector<ChartCall> calls = longest_.take();
  append_range(calls, suspensions_.take());
  llvm::sort(calls, isDrawnBefore);
  DenseSet<std::pair<StreamIndex, uint64_t>> drawn;
  erase_if(calls, [&](const ChartCall &call) {
    if (call.depth > 1 && !drawn.contains({call.stream, call.caller}))
      return true;
    drawn.insert({call.stream, call.number});
    return false;
  });
  return calls;
}

Error FlameChartBackend::finish() {
  uint64_t end;
  std::tie(start_, end) = streams_.range();
  total_ = end - start_;
  std::vector<ChartCall> calls = takeDrawn();
  std::vector<uint64_t> undrawn = undrawnTimes(calls);

  // The row above the first of each stream that is drawn.
  std::vector<uint32_t> tops(streams_.size());
  bool several = !calls.empty() && calls.front().stream != calls.back().stream;
  uint32_t levels = 1;
  for (size_t i = 0; i < calls.size(); ++i) {
    if (i == 0 || calls[i].stream != calls[i - 1].stream) {
      tops[calls[i].stream] = several ? levels : 0;
      levels += several;
    }
    levels = std::max(levels, tops[calls[i].stream] + calls[i].depth + 1);
  }

  FramePicture picture({.title = displayName(info_->title),
                        .summary = summaryLine(calls, total_),
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
  for (size_t i = 0; i < calls.size(); ++i) {
    const ChartCall &call = calls[i];
    uint32_t top = tops[call.stream];
    if (several && (i == 0 || call.stream != calls[i - 1].stream)) {
      row.classes = "frame all stream";
      row.name = displayName(info_->streamName(call.stream));
      row.level = top;
      picture.write(row);
    }
    PictureFrame frame = pictureOf(call, undrawn[i]);
    frame.level = top + call.depth;
    picture.write(frame);
  }
  picture.writeTail();
  return Error::success();
}

std::string FlameChartBackend::summaryLine(const std::vector<ChartCall> &drawn,
                                           uint64_t total) const {
  if (drawn.empty())
    return "no calls";
  std::string text = time(total);
  if (hasSamples_)
    text += " in samples";
  else
    text += ", " + formatWeight(longest_.added() - lostRanges_, "calls");
  uint64_t rest = longest_.added();
  uint64_t shortest = UINT64_MAX;
  for (const ChartCall &call : drawn) {
    if (isSuspension(call))
      continue;
    --rest;
    shortest = std::min(shortest, call.ran());
  }
  if (rest > 0) {
    text += (", " + Twine(groupDigits(rest)) + (hasSamples_ ? " frames" : " of them") + ", up to " +
             time(shortest) + " long, not drawn")
                .str();
  }
  return text;
}

PictureFrame FlameChartBackend::pictureOf(const ChartCall &call, uint64_t undrawn) const {
  PictureFrame frame;
  frame.start = call.start - start_;
  frame.weight = call.duration;
  frame.self = call.self;
  frame.details = (Twine(time(call.duration)) + " (" + formatShare(call.duration, total_) +
                   ") from " + time(frame.start) + " on, self " + time(call.self))
                      .str();
  if (call.suspended > 0 && !isSuspension(call))
    frame.details += ", suspended " + time(call.suspended);
  if (undrawn > 0)
    frame.details += (", " + Twine(time(undrawn)) + " in calls not drawn").str();
  if (call.function == lostFunction || call.function == deeperFunction) {
    bool lost = call.function == lostFunction;
    frame.classes = lost ? "frame lost" : "frame rest";
    frame.name = lost ? "[lost]" : DepthLimit::deeperName.str();
  } else {
    const Function &function = info_->functions[call.function];
    frame.name = displayName(function.name);
    frame.source = sourceDetails(function.file, function.line, function.inlined.vec());
    frame.url = info_->sourceUrl.of(function.file, function.line);
    frame.classes = functionClasses(frame.name);
  }
  return frame;
}

warpo::Registry<TimelineBackend>::Add<FlameChartBackend>
    registration("flamechart", "calls over time as a picture to zoom in, for browsers");

} // namespace
