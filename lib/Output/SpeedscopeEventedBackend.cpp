//===- SpeedscopeEventedBackend.cpp - Begins and ends for speedscope ------===//
// SPDX-License-Identifier: Apache-2.0
//
// speedscope's format with profiles of type `evented`: a table of frames, and a profile for each
// stream that opens and closes them. As speedscope requires, times never decrease, frames nest, and
// every frame is closed. Times are nanoseconds since the record's first event, exact in a double
// for a hundred days.
//
// The events of a profile must be contiguous, so they wait in a temporary file until the record
// ends.
//
//===----------------------------------------------------------------------===//

#include "text/JsonText.h"
#include "text/TextBuffer.h"
#include "timeline/BatchWalk.h"
#include "timeline/DepthLimit.h"
#include "timeline/StreamStates.h"
#include "warpo/Output/ProfileBackend.h"
#include "warpo/Support/StreamSpool.h"
#include <optional>

using namespace llvm;
using namespace warpo;

// speedscope's page walks calls recursively: it opens 3000 levels, but fails silently with 5000.
static constexpr uint64_t maxDepth = 1000;

namespace {

struct FrameEvent {
  uint64_t nanoseconds;
  uint32_t frame;
  uint32_t opens;
};

struct NamedFrame {
  StringRef name;
  /// Empty and 0 if unknown.
  StringRef file = {};
  uint32_t line = 0;
};

struct StreamState {
  StreamClock clock;
  uint64_t depth = 0;
};

class SpeedscopeEventedBackend : public CallTimeline {
public:
  StringRef extension() const override { return ".speedscope.json"; }
  bool isBinary() const override { return false; }
  bool saysUnit() const override { return true; }

  Error begin(const TimelineInfo &info, const TimelineOptions &, raw_ostream &os) override {
    info_.emplace(info);
    out_.emplace(os);
    return Error::success();
  }

  Error events(const EventBatch &batch) override {
    StreamState &stream = streams_.at(batch.stream);
    pending_.clear();
    walkBatch(
        batch,
        [&](ArrayRef<Event> events) {
          for (const Event &event : events)
            take(stream, event);
          events_ += events.size();
        },
        [&](const LostRange &range) {
          if (!limit_.hasRoom(stream.depth))
            return;
          add(stream, range.from, lostFrame(), true);
          add(stream, range.to, lostFrame(), false);
        });
    return spool_.append(batch.stream, pending_);
  }

  Error finish() override {
    writeHead();
    uint64_t start = streams_.range().first;
    StringRef separator = "\n";
    Error error = streams_.forEachRunning([&](StreamIndex stream) {
      out_->append(separator);
      separator = ",\n";
      return writeProfile(stream, start);
    });
    out_->append("\n]}\n");
    out_->flush();
    return error;
  }

  TimelineSummary summary() const override {
    TimelineSummary result;
    result.events = events_;
    limit_.addNote(result, "speedscope does not open stacks of some thousand");
    return result;
  }

private:
  void take(StreamState &stream, const Event &event) {
    DepthLimit::Show show = limit_.take(event.kind, stream.depth);
    if (show != DepthLimit::Show::nothing)
      add(stream, event.time,
          show == DepthLimit::Show::call ? frameOf(event.function) : deeperFrame(),
          event.kind == EventKind::begin);
  }

  void add(StreamState &stream, uint64_t counts, uint32_t frame, bool opens) {
    pending_.push_back({stream.clock.advance(info_->scale, counts), frame, opens});
  }

  uint32_t frameOf(FunctionIndex function) {
    if (function >= frameOf_.size())
      frameOf_.resize(info_->functions.size(), noFrame);
    const Function &called = info_->functions[function];
    return numberOf(frameOf_[function], {called.name, called.file, called.line});
  }
  uint32_t lostFrame() { return numberOf(lostFrame_, {"[lost]"}); }
  uint32_t deeperFrame() { return numberOf(deeperFrame_, {DepthLimit::deeperName}); }

  /// Assigns `number` if the frame has none yet.
  uint32_t numberOf(uint32_t &number, const NamedFrame &frame) {
    if (number == noFrame) {
      number = uint32_t(frames_.size());
      frames_.push_back(frame);
    }
    return number;
  }

  void writeHead() {
    out_->append("{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\","
                 "\"exporter\":\"warpo\",\"name\":" +
                 jsonString(displayName(info_->title)) + ",\n\"shared\":{\"frames\":[");
    StringRef separator = "\n";
    for (const NamedFrame &frame : frames_) {
      out_->append(separator);
      separator = ",\n";
      out_->append("{\"name\":" + jsonString(displayName(frame.name)));
      if (!frame.file.empty())
        out_->append(",\"file\":" + jsonString(displayName(frame.file)));
      if (frame.line > 0)
        out_->append(",\"line\":" + std::to_string(frame.line));
      out_->append("}");
    }
    out_->append("\n]},\n\"profiles\":[");
  }

  /// Times count from `start`, in nanoseconds.
  Error writeProfile(StreamIndex index, uint64_t start) {
    const StreamClock &clock = streams_[index].clock;
    StringRef unit = info_->unit == "ns" ? "nanoseconds" : "none";
    out_->append("{\"type\":\"evented\",\"unit\":\"" + unit.str() +
                 "\",\"name\":" + jsonString(displayName(info_->streamName(index))) +
                 ",\"startValue\":" + std::to_string(clock.first() - start) +
                 ",\"endValue\":" + std::to_string(clock.last() - start) + ",\"events\":[");
    StringRef separator = "\n";
    Error error = spool_.read(index, [&](const FrameEvent &event) {
      static constexpr StringLiteral open = "{\"type\":\"O\",\"frame\":";
      static constexpr StringLiteral close = "{\"type\":\"C\",\"frame\":";
      static constexpr StringLiteral atKey = ",\"at\":";
      char *at = out_->reserve(open.size() + atKey.size() + 2 * maxDecimal + 4);
      at = TextBuffer::copy(at, separator);
      at = TextBuffer::copy(at, event.opens ? open : close);
      at = writeDecimal(at, event.frame);
      at = TextBuffer::copy(at, atKey);
      at = writeDecimal(at, event.nanoseconds - start);
      *at++ = '}';
      out_->advanceTo(at);
      separator = ",\n";
    });
    out_->append("\n]}");
    return error;
  }

  static constexpr uint32_t noFrame = UINT32_MAX;

  std::optional<TimelineInfo> info_;
  std::optional<TextBuffer> out_;
  StreamStates<StreamState> streams_;
  StreamSpool<FrameEvent> spool_;
  /// Events of the current batch.
  std::vector<FrameEvent> pending_;
  DepthLimit limit_{maxDepth};
  std::vector<NamedFrame> frames_;
  std::vector<uint32_t> frameOf_;
  uint32_t lostFrame_ = noFrame;
  uint32_t deeperFrame_ = noFrame;
  uint64_t events_ = 0;
};

warpo::Registry<TimelineBackend>::Add<SpeedscopeEventedBackend>
    registration("speedscope-evented", "every call in time order, for speedscope");

} // namespace
