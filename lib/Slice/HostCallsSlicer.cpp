//===- HostCallsSlicer.cpp - Only the calls that the host makes -----------===//
//
// The overview of a huge record: of each stack from empty to empty, the outermost call.
//
//===----------------------------------------------------------------------===//

#include "warpo/Slice/Slicer.h"
#include <memory>

using namespace llvm;
using namespace warpo;

namespace {

class HostCallsSlicer : public Slicer {
public:
  void process(const RecordBatch &batch, EventBuilder &calls) override {
    Stream &stream = streamOf(calls);
    stream.all->replay(batch);
    forward(stream, calls);
  }

  void finish(EventBuilder &calls) override {
    Stream &stream = streamOf(calls);
    stream.all->finish();
    forward(stream, calls);
  }

private:
  struct Stream {
    std::unique_ptr<EventBuilder> all;
    size_t depth = 0;
  };

  Stream &streamOf(EventBuilder &calls) {
    if (calls.stream() >= streams_.size())
      streams_.resize(calls.stream() + 1);
    Stream &stream = streams_[calls.stream()];
    if (!stream.all)
      stream.all = std::make_unique<EventBuilder>(calls.stream(), calls.lastTime(), calls.ids(),
                                                  calls.repairs());
    return stream;
  }

  void forward(Stream &stream, EventBuilder &calls) {
    EventBatch batch = stream.all->batch();
    ArrayRef<LostRange> lost = batch.lost;
    for (size_t i = 0; i < batch.events.size(); ++i) {
      for (; !lost.empty() && lost.front().position == i; lost = lost.drop_front())
        calls.addLost(lost.front());
      const Event &event = batch.events[i];
      if (event.kind == EventKind::begin) {
        if (stream.depth++ == 0)
          calls.beginFunction(event.time, event.function);
      } else if (--stream.depth == 0) {
        calls.endFunction(event.time, event.function, event.kind);
      }
    }
    for (const LostRange &range : lost)
      calls.addLost(range);
    calls.addUnmatchedEnds(stream.all->unmatchedEnds());
    stream.all->clear();
  }

  std::vector<Stream> streams_;
};

warpo::Registry<Slicer>::Add<HostCallsSlicer>
    registration("host-calls", "one event for each complete call from the host");

} // namespace
