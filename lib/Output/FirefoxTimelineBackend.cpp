//===- FirefoxTimelineBackend.cpp - Calls in time for Firefox's profiler --===//
// SPDX-License-Identifier: Apache-2.0
//
// Each time span of a call without its callees becomes a sample with that weight, so that the
// profiler's stack chart shows the calls as they were; between calls from the host there is an
// empty sample. Calls from the host and lost ranges are also markers.
//
// Samples are separate columns of numbers, so they wait in a temporary file until the record ends.
// Only the stacks that occurred are in memory, each once.
//
//===----------------------------------------------------------------------===//

#include "firefox/ProcessedProfile.h"
#include "text/JsonText.h"
#include "timeline/BatchWalk.h"
#include "timeline/DepthLimit.h"
#include "timeline/StreamStates.h"
#include "warpo/Output/ProfileBackend.h"
#include "warpo/Output/TimelineBackend.h"
#include "warpo/Support/StreamSpool.h"
#include <optional>

using namespace llvm;
using namespace warpo;
using namespace warpo::firefox;

// Firefox itself records at most 1024 frames of a stack, and its profiler is made for that.
static constexpr uint64_t maxDepth = 1000;
// Calls in further contexts are shown as one frame. Each context takes about 40 bytes.
static constexpr size_t maxContexts = 1'000'000;

static constexpr StringLiteral markerSchema =
    R"([{"name":"HostCall","description":"A call from the host",
"display":["marker-chart","marker-table"],"fields":[]},
{"name":"Lost","description":"What happened here was not recorded",
"display":["marker-chart","marker-table","timeline-overview"],
"fields":[{"key":"entries","label":"Lost entries","format":"integer"},
{"key":"end","label":"End without a begin","format":"string"}]}])";

namespace {

struct Sample {
  /// Nanoseconds.
  uint64_t start;
  uint64_t weight;
  /// CallTree::root: no call is open.
  NodeIndex stack;
};

struct Marker {
  uint64_t start;
  uint64_t end;
  bool isLost;
  /// For calls from the host.
  uint32_t frame;
  /// For lost ranges, as in LostRange.
  uint64_t entries;
  FunctionIndex function;
};

struct StreamState {
  std::vector<NodeIndex> stack{CallTree::root};
  StreamClock clock;
  uint64_t depth = 0;
  uint64_t sliceStart = 0;
  uint64_t samples = 0;
  uint64_t markers = 0;
};

class FirefoxTimelineBackend : public CallTimeline {
public:
  StringRef extension() const override { return ".json"; }
  bool isBinary() const override { return false; }

  Error begin(const TimelineInfo &info, const TimelineOptions &, raw_ostream &os) override {
    info_.emplace(info);
    out_.emplace(os);
    return Error::success();
  }
  Error events(const EventBatch &batch) override;
  Error finish() override;
  TimelineSummary summary() const override;

private:
  void take(StreamState &stream, const Event &event);
  void take(StreamState &stream, const LostRange &range);
  void push(StreamState &stream, uint32_t frame);
  void pop(StreamState &stream);
  void advance(StreamState &stream, uint64_t counts);
  uint32_t frameOf(FunctionIndex function);
  uint32_t numberOf(uint32_t &number, StringRef name, Category category);
  Error writeThread(StreamIndex index, uint64_t origin);
  Error writeSamples(StreamIndex index, uint64_t origin);
  Error writeMarkers(StreamIndex index, uint64_t origin);
  std::string markerData(const Marker &marker) const;
  template <typename T, typename F>
  Error writeColumn(StringRef name, const StreamSpool<T> &spool, StreamIndex index, F addValue) {
    out_->append(",\n");
    ColumnWriter column(name, *out_);
    return spool.read(index, [&](const T &item) { addValue(column, item); });
  }

  static constexpr uint32_t noFrame = UINT32_MAX;

  std::optional<TimelineInfo> info_;
  std::optional<TextBuffer> out_;
  StreamStates<StreamState> streams_;
  SharedTables tables_;
  /// Its functions are frames.
  CallTree stacks_;
  std::vector<uint32_t> frameOf_;
  uint32_t lostFrame_ = noFrame;
  uint32_t deeperFrame_ = noFrame;
  uint32_t otherFrame_ = noFrame;
  StreamSpool<Sample> samples_;
  StreamSpool<Marker> markers_;
  /// Samples of the current batch.
  std::vector<Sample> newSamples_;
  std::vector<Marker> newMarkers_;
  DepthLimit limit_{maxDepth};
  uint64_t otherCalls_ = 0;
  uint64_t events_ = 0;
};

uint32_t FirefoxTimelineBackend::numberOf(uint32_t &number, StringRef name, Category category) {
  if (number == noFrame)
    number = tables_.addFrame(name, category);
  return number;
}

uint32_t FirefoxTimelineBackend::frameOf(FunctionIndex function) {
  if (function >= frameOf_.size())
    frameOf_.resize(info_->functions.size(), noFrame);
  if (frameOf_[function] == noFrame) {
    const Function &called = info_->functions[function];
    frameOf_[function] = tables_.addFrame(
        called.name, info_->functions.isSuspension(function) ? Category::suspended : Category::wasm,
        called.file, called.line);
  }
  return frameOf_[function];
}

void FirefoxTimelineBackend::advance(StreamState &stream, uint64_t counts) {
  uint64_t last = stream.clock.last();
  uint64_t now = stream.clock.advance(info_->scale, counts);
  if (stream.stack.size() > 1 && now > last)
    newSamples_.push_back({last, now - last, stream.stack.back()});
}

void FirefoxTimelineBackend::push(StreamState &stream, uint32_t frame) {
  NodeIndex caller = stream.stack.back();
  if (LLVM_LIKELY(stacks_.size() <= maxContexts)) {
    stream.stack.push_back(stacks_.child(caller, frame));
    return;
  }
  NodeIndex context;
  if (auto known = stacks_.findChild(caller, frame)) {
    context = *known;
  } else {
    ++otherCalls_;
    uint32_t other = numberOf(otherFrame_, "(other)", Category::other);
    // Below such a frame every context becomes that frame, without a chain of them for a deep
    // stack.
    context = caller != CallTree::root && stacks_[caller].function == other
                  ? caller
                  : stacks_.child(caller, other);
  }
  stream.stack.push_back(context);
}

void FirefoxTimelineBackend::pop(StreamState &stream) {
  stream.stack.pop_back();
  if (stream.stack.size() == 1)
    newSamples_.push_back({stream.clock.last(), 0, CallTree::root});
}

void FirefoxTimelineBackend::take(StreamState &stream, const Event &event) {
  DepthLimit::Show show = limit_.take(event.kind, stream.depth);
  if (show == DepthLimit::Show::nothing)
    return;
  advance(stream, event.time);
  if (event.kind == EventKind::begin) {
    if (stream.depth == 1)
      stream.sliceStart = stream.clock.last();
    push(stream, show == DepthLimit::Show::call
                     ? frameOf(event.function)
                     : numberOf(deeperFrame_, DepthLimit::deeperName, Category::other));
    return;
  }
  pop(stream);
  if (stream.depth == 0)
    newMarkers_.push_back({.start = stream.sliceStart,
                           .end = stream.clock.last(),
                           .isLost = false,
                           .frame = frameOf(event.function),
                           .entries = 0,
                           .function = noFunction});
}

void FirefoxTimelineBackend::take(StreamState &stream, const LostRange &range) {
  advance(stream, range.from);
  uint64_t start = stream.clock.last();
  push(stream, numberOf(lostFrame_, "[lost]", Category::lost));
  advance(stream, range.to);
  pop(stream);
  newMarkers_.push_back({.start = start,
                         .end = stream.clock.last(),
                         .isLost = true,
                         .frame = 0,
                         .entries = range.count,
                         .function = range.function});
}

Error FirefoxTimelineBackend::events(const EventBatch &batch) {
  StreamState &stream = streams_.at(batch.stream);
  newSamples_.clear();
  newMarkers_.clear();
  walkBatch(
      batch,
      [&](ArrayRef<Event> events) {
        for (const Event &event : events)
          take(stream, event);
        events_ += events.size();
      },
      [&](const LostRange &range) { take(stream, range); });
  stream.samples += newSamples_.size();
  stream.markers += newMarkers_.size();
  if (Error error = samples_.append(batch.stream, newSamples_))
    return error;
  return markers_.append(batch.stream, newMarkers_);
}

Error FirefoxTimelineBackend::finish() {
  out_->append("{");
  writeMeta(info_->title, markerSchema, *out_);
  out_->append(",\n\"libs\":[],\"pages\":[],\"counters\":[],\n");
  tables_.write(stacks_, {"Lost"}, *out_);
  out_->append(",\n\"threads\":[");
  uint64_t origin = streams_.range().first;
  StringRef separator = "\n";
  Error error = streams_.forEachRunning([&](StreamIndex stream) {
    out_->append(separator);
    separator = ",\n";
    return writeThread(stream, origin);
  });
  out_->append("\n]}\n");
  out_->flush();
  return error;
}

Error FirefoxTimelineBackend::writeThread(StreamIndex index, uint64_t origin) {
  const StreamClock &clock = streams_[index].clock;
  auto milliseconds = [](uint64_t nanoseconds) {
    char text[maxMilliseconds];
    return std::string(text, writeMilliseconds(text, nanoseconds));
  };
  out_->append("{\"name\":" + jsonString(displayName(info_->streamName(index))) +
               ",\"processName\":" + jsonString(displayName(info_->title)) +
               R"(,"processType":"default","isMainThread":true,"pid":"1","tid":)" +
               std::to_string(index + 1) + R"(,"processStartupTime":0,"processShutdownTime":null)" +
               ",\"registerTime\":" + milliseconds(clock.first() - origin) +
               ",\"unregisterTime\":" + milliseconds(clock.last() - origin) +
               ",\"pausedRanges\":[]");
  if (Error error = writeSamples(index, origin))
    return error;
  if (Error error = writeMarkers(index, origin))
    return error;
  out_->append("}");
  return Error::success();
}

Error FirefoxTimelineBackend::writeSamples(StreamIndex index, uint64_t origin) {
  out_->append(",\n\"samples\":{\"weightType\":\"tracing-ms\",\"length\":" +
               std::to_string(streams_[index].samples));
  if (Error error = writeColumn("stack", samples_, index, [](auto &column, const Sample &sample) {
        if (sample.stack == CallTree::root)
          column.add("null");
        else
          column.add(uint64_t(sample.stack - 1));
      }))
    return error;
  if (Error error = writeColumn("time", samples_, index, [&](auto &column, const Sample &sample) {
        column.addMilliseconds(sample.start - origin);
      }))
    return error;
  if (Error error = writeColumn("weight", samples_, index, [](auto &column, const Sample &sample) {
        column.addMilliseconds(sample.weight);
      }))
    return error;
  out_->append("}");
  return Error::success();
}

std::string FirefoxTimelineBackend::markerData(const Marker &marker) const {
  if (!marker.isLost)
    return "{\"type\":\"HostCall\"}";
  std::string data = "{\"type\":\"Lost\"";
  if (marker.entries)
    data += ",\"entries\":" + std::to_string(marker.entries);
  if (marker.function != noFunction)
    data += ",\"end\":" + jsonString(displayName(info_->functions[marker.function].name));
  return data + "}";
}

Error FirefoxTimelineBackend::writeMarkers(StreamIndex index, uint64_t origin) {
  out_->append(",\n\"markers\":{\"length\":" + std::to_string(streams_[index].markers));
  auto write = [&](StringRef name, auto addValue) {
    return writeColumn(name, markers_, index, addValue);
  };
  if (Error error = write("name", [&](ColumnWriter &column, const Marker &marker) {
        column.add(uint64_t(marker.isLost ? tables_.stringOfExtra(0)
                                          : tables_.stringOfFrame(marker.frame)));
      }))
    return error;
  if (Error error = write("startTime", [&](ColumnWriter &column, const Marker &marker) {
        column.addMilliseconds(marker.start - origin);
      }))
    return error;
  if (Error error = write("endTime", [&](ColumnWriter &column, const Marker &marker) {
        column.addMilliseconds(marker.end - origin);
      }))
    return error;
  // 1: an interval.
  if (Error error = write("phase", [](ColumnWriter &column, const Marker &) { column.add("1"); }))
    return error;
  if (Error error = write("category", [](ColumnWriter &column, const Marker &marker) {
        column.add(uint64_t(marker.isLost ? Category::lost : Category::wasm));
      }))
    return error;
  if (Error error = write("data", [&](ColumnWriter &column, const Marker &marker) {
        column.add(markerData(marker));
      }))
    return error;
  out_->append("}");
  return Error::success();
}

TimelineSummary FirefoxTimelineBackend::summary() const {
  TimelineSummary result;
  result.events = events_;
  limit_.addNote(result, "the Firefox Profiler is made for about as many");
  if (otherCalls_ > 0)
    result.notes.push_back(countOf(otherCalls_, "call") + " of more than " +
                           std::to_string(maxContexts) +
                           " calling contexts are shown as '(other)'");
  return result;
}

warpo::Registry<TimelineBackend>::Add<FirefoxTimelineBackend>
    registration("firefox-timeline", "samples and markers for profiler.firefox.com");

} // namespace
