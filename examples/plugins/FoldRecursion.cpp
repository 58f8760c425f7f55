//===- FoldRecursion.cpp - A slicer that leaves out recursive calls -------===//
//
// Of calls of a function within a call of the same function only the outermost stays: a recursive
// descent becomes one bar, and what lies below it still stands below it.
//
//===----------------------------------------------------------------------===//

#include "warpo/Slice/Slicer.h"
#include "warpo/Support/PluginApi.h"
#include <memory>

using namespace llvm;
using namespace warpo;

namespace {

class FoldRecursion : public Slicer {
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
    /// Nests and repairs the entries as they are, so that every begin seen here has its end.
    std::unique_ptr<EventBuilder> all;
    /// How many calls of each function are open.
    std::vector<uint32_t> open;
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
      forward(stream, batch.events[i], calls);
    }
    for (const LostRange &range : lost)
      calls.addLost(range);
    calls.addUnmatchedEnds(stream.all->unmatchedEnds());
    stream.all->clear();
  }

  void forward(Stream &stream, const Event &event, EventBuilder &calls) {
    if (event.function >= stream.open.size())
      stream.open.resize(event.function + 1);
    uint32_t &open = stream.open[event.function];
    if (event.kind == EventKind::begin) {
      if (open++ == 0)
        calls.beginFunction(event.time, event.function);
    } else if (--open == 0) {
      calls.endFunction(event.time, event.function, event.kind);
    }
  }

  std::vector<Stream> streams_;
};

warpo::Registry<Slicer>::Add<FoldRecursion>
    registration("fold-recursion", "of recursive calls only the outermost");

} // namespace

WARPO_PLUGIN("fold-recursion", "1.0")
