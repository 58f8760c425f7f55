//===- SpeedscopeEventedBackend.cpp - Begins and ends for speedscope ------===//
//
// speedscope's own format, of its type `evented`: a table of frames, and for each stream a profile
// that opens and closes them. Times never decrease, frames nest, and none is left open, which
// speedscope asks for; they are nanoseconds from the record's first event on, exact in a double
// for a hundred days.
//
// The events of a profile stand together, so they wait in a temporary file until the record ends.
//
//===----------------------------------------------------------------------===//

#include "text/JsonText.h"
#include "text/TextBuffer.h"
#include "timeline/BatchWalk.h"
#include "timeline/DepthLimit.h"
#include "timeline/StreamSpool.h"
#include "warpo/Output/ProfileBackend.h"
#include <algorithm>
#include <optional>

using namespace llvm;
using namespace warpo;

// Its page walks calls on its own stack: it opens 3000 levels, and nothing happens with 5000.
static constexpr uint64_t maxDepth = 1000;

namespace {

struct FrameEvent {
  uint64_t nanoseconds;
  uint32_t frame;
  uint32_t opens;
};

struct StreamState {
  uint64_t depth = 0;
  uint64_t first = 0;
  uint64_t last = 0;
  bool hasEvents = false;
};

class SpeedscopeEventedBackend : public TimelineBackend {
public:
  StringRef extension() const override { return ".speedscope.json"; }
  bool isBinary() const override { return false; }

  Error begin(const TimelineInfo &info, const TimelineOptions &, raw_ostream &os) override {
    info_.emplace(info);
    out_.emplace(os);
    return Error::success();
  }

  Error events(const EventBatch &batch) override {
    if (streams_.size() <= batch.stream)
      streams_.resize(batch.stream + 1);
    StreamState &stream = streams_[batch.stream];
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
    uint64_t start = UINT64_MAX;
    for (const StreamState &stream : streams_)
      if (stream.hasEvents)
        start = std::min(start, stream.first);
    StringRef separator = "\n";
    for (size_t i = 0; i < streams_.size(); ++i) {
      if (!streams_[i].hasEvents)
        continue;
      out_->append(separator);
      separator = ",\n";
      if (Error error = writeProfile(StreamIndex(i), start))
        return error;
    }
    out_->append("\n]}\n");
    out_->flush();
    return Error::success();
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
    uint64_t now = std::max(info_->scale.toNanoseconds(counts), stream.last);
    if (!stream.hasEvents)
      stream.first = now;
    stream.hasEvents = true;
    stream.last = now;
    pending_.push_back({now, frame, opens});
  }

  uint32_t frameOf(FunctionIndex function) {
    if (function >= frameOf_.size())
      frameOf_.resize(info_->functions.size(), noFrame);
    return numberOf(frameOf_[function], info_->functions[function].name);
  }
  uint32_t lostFrame() { return numberOf(lostFrame_, "[lost]"); }
  uint32_t deeperFrame() { return numberOf(deeperFrame_, DepthLimit::deeperName); }

  /// Gives a frame that has none its number.
  uint32_t numberOf(uint32_t &number, StringRef name) {
    if (number == noFrame) {
      number = uint32_t(frames_.size());
      frames_.push_back(name);
    }
    return number;
  }

  void writeHead() {
    out_->append("{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\","
                 "\"exporter\":\"warpo\",\"name\":" +
                 jsonString(displayName(info_->title)) + ",\n\"shared\":{\"frames\":[");
    StringRef separator = "\n";
    for (StringRef name : frames_) {
      out_->append(separator);
      separator = ",\n";
      out_->append("{\"name\":" + jsonString(displayName(name)) + "}");
    }
    out_->append("\n]},\n\"profiles\":[");
  }

  /// `start`: the nanosecond that times count from.
  Error writeProfile(StreamIndex index, uint64_t start) {
    const StreamState &stream = streams_[index];
    out_->append("{\"type\":\"evented\",\"unit\":\"nanoseconds\",\"name\":" +
                 jsonString(displayName(info_->streamName(index))) +
                 ",\"startValue\":" + std::to_string(stream.first - start) +
                 ",\"endValue\":" + std::to_string(stream.last - start) + ",\"events\":[");
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
  std::vector<StreamState> streams_;
  StreamSpool<FrameEvent> spool_;
  /// Of the batch at hand.
  std::vector<FrameEvent> pending_;
  DepthLimit limit_{maxDepth};
  /// Names by frame.
  std::vector<StringRef> frames_;
  std::vector<uint32_t> frameOf_;
  uint32_t lostFrame_ = noFrame;
  uint32_t deeperFrame_ = noFrame;
  uint64_t events_ = 0;
};

warpo::Registry<TimelineBackend>::Add<SpeedscopeEventedBackend>
    registration("speedscope-evented", "every call in time order, for speedscope");

} // namespace
