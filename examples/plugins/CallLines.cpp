//===- CallLines.cpp - A timeline backend: a line of JSON for each call ---===//
// SPDX-License-Identifier: Apache-2.0
//
// For scripts: every line is an object of its own, written when its call has ended.
//
//   {"stream":0,"function":"main","depth":1,"start_ns":0,"duration_ns":120,"end":"returned"}
//
//===----------------------------------------------------------------------===//

#include "warpo/Output/TimelineBackend.h"
#include "warpo/Support/PluginApi.h"
#include "llvm/Support/JSON.h"

using namespace llvm;
using namespace warpo;

namespace {

StringRef causeName(EventKind kind) {
  switch (kind) {
  case EventKind::endReturned:
    return "returned";
  case EventKind::endUnwound:
    return "unwound";
  case EventKind::endOpen:
    return "open at end";
  case EventKind::endTrapped:
    return "trapped";
  case EventKind::endCut:
    return "cut off";
  case EventKind::begin:
    break;
  }
  llvm_unreachable("not the end of a call");
}

class CallLines : public CallTimeline {
public:
  StringRef extension() const override { return ".jsonl"; }
  bool isBinary() const override { return false; }

  Error begin(const TimelineInfo &info, const TimelineOptions &, raw_ostream &os) override {
    info_ = &info;
    os_ = &os;
    return Error::success();
  }

  Error events(const EventBatch &batch) override {
    if (batch.stream >= open_.size())
      open_.resize(batch.stream + 1);
    std::vector<uint64_t> &open = open_[batch.stream];
    for (const Event &event : batch.events) {
      if (event.kind == EventKind::begin) {
        open.push_back(event.time);
        continue;
      }
      // Events nest: this end belongs to the begin last seen.
      writeCall(batch.stream, open.size(), open.back(), event);
      open.pop_back();
    }
    return Error::success();
  }

  Error finish() override { return Error::success(); }
  TimelineSummary summary() const override { return {.events = events_, .notes = {}}; }

private:
  void writeCall(StreamIndex stream, size_t depth, uint64_t begin, const Event &end) {
    uint64_t start = sinceOrigin(begin);
    json::OStream json(*os_);
    json.object([&] {
      json.attribute("stream", stream);
      json.attribute("function", info_->functions[end.function].name);
      json.attribute("depth", depth);
      json.attribute("start_ns", start);
      json.attribute("duration_ns", sinceOrigin(end.time) - start);
      json.attribute("end", causeName(end.kind));
    });
    *os_ << '\n';
    events_ += 2;
  }

  uint64_t sinceOrigin(uint64_t counts) const {
    return info_->scale.toNanoseconds(counts - info_->header.origin);
  }

  const TimelineInfo *info_ = nullptr;
  raw_ostream *os_ = nullptr;
  /// Of each stream, when its open calls began, in counts.
  std::vector<std::vector<uint64_t>> open_;
  uint64_t events_ = 0;
};

warpo::Registry<TimelineBackend>::Add<CallLines>
    registration("call-lines", "a line of JSON for each call, in the order of their ends");

} // namespace

WARPO_PLUGIN("call-lines", "1.0")
