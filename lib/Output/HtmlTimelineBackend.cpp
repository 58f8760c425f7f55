//===- HtmlTimelineBackend.cpp - A report with its calls over time --------===//
// SPDX-License-Identifier: Apache-2.0
//
// The page of HtmlBackend.cpp for the profile of the calls, with an additional tab for their times.
// Its payload has the texts `{"unit", "length", "shortest", "calls", "isPiece", "streams": [name]}`
// and for each stream s, an element for each block: `function<s>`: an index into the functions plus
// 1, or 0 for several functions (or one without a context); `rise<s>` as in ProfilePayload.h;
// `start<s>` since the previous block's start; `duration<s>`; `between<s>`: the part of that
// between its calls; `calls<s>`: four times the number of its calls, plus 1 if it hides others,
// plus 2 if something was lost in it.
//
//===----------------------------------------------------------------------===//

#include "html/ProfilePayload.h"
#include "html/ReportPage.h"
#include "timeline/CallBlocks.h"
#include "timeline/DepthLimit.h"
#include "timeline/PictureTimeline.h"
#include "warpo/Output/Quantities.h"
#include "warpo/Slice/CallTree.h"
#include <map>

using namespace llvm;
using namespace warpo;

// This many usually take about 5 MB; more would make browsers slow.
static constexpr size_t maxBlocks = 800'000;
// Of base64.
static constexpr size_t maxTimelineBytes = 8'000'000;
static constexpr uint64_t maxDepth = 1000;
static constexpr size_t maxContexts = 1'000'000;
static constexpr FunctionIndex lostFunction = noFunction - 1;

namespace {

struct OpenBlock {
  CallBlock block;
  NodeIndex context;
};

struct StreamState {
  StreamClock clock;
  std::vector<OpenBlock> open;
  uint64_t depth = 0;
  uint64_t begun = 0;
  /// Counts of the record's clock.
  uint64_t last = 0;
};

std::string countsAsCaller(uint64_t calls) {
  return calls == 1 ? " counts as its caller" : " count as their callers";
}

class HtmlTimelineBackend final : public PictureTimeline<StreamState> {
public:
  StringRef extension() const override { return ".html"; }
  Error finish() override;

  TimelineSummary summary() const override {
    TimelineSummary result;
    result.events = events_;
    if (tooDeep_ > 0)
      result.notes.push_back(countOf(tooDeep_, "call") + " deeper than " +
                             std::to_string(maxDepth) + countsAsCaller(tooDeep_) +
                             ": a page of more levels cannot be read");
    if (withoutContext_ > 0)
      result.notes.push_back(countOf(withoutContext_, "call") + " of more than " +
                             groupDigits(maxContexts) + " contexts" +
                             countsAsCaller(withoutContext_));
    blocks_.addNote(result, info_->unit, "all would make the page too large");
    for (const std::string &text : notes_)
      result.notes.push_back(text);
    return result;
  }

private:
  void take(StreamIndex index, StreamState &stream, const Event &event) override {
    pass(stream, event.time);
    if (limit_.take(event.kind, stream.depth) != DepthLimit::Show::call) {
      tooDeep_ += !isEnd(event.kind);
      return;
    }
    if (isEnd(event.kind)) {
      close(index, stream, event.time);
      return;
    }
    NodeIndex caller = stream.open.empty() ? CallTree::root : stream.open.back().context;
    NodeIndex context = enter(caller, event.function);
    open(stream, event.time, event.function, context);
  }

  /// The context of a call, or its caller's if there are too many.
  NodeIndex enter(NodeIndex caller, FunctionIndex function) {
    std::optional<NodeIndex> known = tree_.findChild(caller, function);
    if (!known && tree_.size() > maxContexts) {
      ++withoutContext_;
      return caller;
    }
    NodeIndex context = known ? *known : tree_.child(caller, function);
    if (!isWaiting(function))
      tree_.addCalls(context, 1);
    return context;
  }

  void takeLost(StreamIndex index, StreamState &stream, const LostRange &range) override {
    pass(stream, range.from);
    NodeIndex caller = stream.open.empty() ? CallTree::root : stream.open.back().context;
    lost_[caller] += range.to - range.from;
    stream.last = range.to;
    open(stream, range.from, lostFunction, caller);
    close(index, stream, range.to);
  }

  /// Whether a call stands for time in which its stack did not run. As in all profiles, it is in no
  /// sum; the tab of the timeline alone has it.
  bool isWaiting(FunctionIndex function) const {
    const FunctionTable &functions = info_->functions;
    return functions.isSuspension(function) ||
           (functions[function].isTextFrame && functions[function].name == "(idle)");
  }

  /// Time up to `counts` belongs to the call on top of the stack.
  void pass(StreamState &stream, uint64_t counts) {
    if (!stream.open.empty() && counts > stream.last &&
        !isWaiting(stream.open.back().block.function))
      tree_.addTime(stream.open.back().context, counts - stream.last);
    stream.last = std::max(stream.last, counts);
  }

  void open(StreamState &stream, uint64_t counts, FunctionIndex function, NodeIndex context) {
    CallBlock block;
    block.start = stream.clock.advance(info_->scale, counts);
    block.number = ++stream.begun;
    block.caller = stream.open.empty() ? 0 : stream.open.back().block.number;
    block.depth = uint32_t(stream.open.size() + 1);
    block.function = function;
    stream.open.push_back({block, context});
  }

  void close(StreamIndex index, StreamState &stream, uint64_t counts) {
    CallBlock &ended = stream.open.back().block;
    ended.end = stream.clock.advance(info_->scale, counts);
    blocks_.add(index, ended);
    stream.open.pop_back();
  }

  Profile profileOfCalls() const;
  std::map<FunctionIndex, uint32_t> framesOf(const Profile &profile, const ContextList &list) const;
  PagePayload timeline(const std::map<FunctionIndex, uint32_t> &frames) const;

  CallBlocks blocks_{maxBlocks};
  DepthLimit limit_{maxDepth};
  CallTree tree_;
  /// By context, counts of the record's clock.
  std::map<NodeIndex, uint64_t> lost_;
  uint64_t tooDeep_ = 0;
  uint64_t withoutContext_ = 0;
  std::vector<std::string> notes_;
};

Profile HtmlTimelineBackend::profileOfCalls() const {
  std::vector<Measure> measures{info_->header.measures.front()};
  measures.front().unit = info_->unit;
  measures.front().scale.reset();
  if (info_->unit == "ns")
    measures.front().scale = info_->scale;
  Profile profile = makeProfile(tree_, info_->functions, measures, info_->title);
  if (!lost_.empty())
    profile.functions.push_back({.name = "[lost]", .kind = FunctionKind::pseudo});
  for (auto [caller, counts] : lost_) {
    profile.tree.append(caller, FunctionIndex(profile.functions.size() - 1));
    profile.weights[0].self.push_back(measures.front().shown(counts));
    profile.weights[1].self.push_back(0);
  }
  // The number of calls made from samples is meaningless.
  if (hasSamples_)
    profile.weights.resize(1);
  return profile;
}

std::map<FunctionIndex, uint32_t> HtmlTimelineBackend::framesOf(const Profile &profile,
                                                                const ContextList &list) const {
  auto less = [](const Frame &a, const Frame &b) { return a.key() < b.key(); };
  std::map<Frame, uint32_t, decltype(less)> known(less);
  for (const Frame &frame : list.frames())
    known.try_emplace(frame, uint32_t(known.size()));
  // Contexts have the same numbers in the tree and the profile; those of losses follow.
  std::map<FunctionIndex, uint32_t> frames;
  for (NodeIndex node = 1; node < profile.tree.size(); ++node) {
    FunctionIndex function = node < tree_.size() ? tree_[node].function : lostFunction;
    if (!frames.count(function))
      frames[function] = known.at(frameOf(profile, profile.function(node)));
  }
  return frames;
}

PagePayload HtmlTimelineBackend::timeline(const std::map<FunctionIndex, uint32_t> &frames) const {
  auto [start, end] = streams_.range();
  std::vector<StreamIndex> shown;
  for (StreamIndex stream = 0; stream < blocks_.streams().size(); ++stream)
    if (!blocks_.streams()[stream].empty())
      shown.push_back(stream);
  PagePayload payload([&, start = start, end = end](json::OStream &json) {
    json.attribute("unit", info_->unit);
    json.attribute("length", std::to_string(end - start));
    json.attribute("shortest", std::to_string(blocks_.shortest()));
    json.attribute("calls", std::to_string(blocks_.added()));
    json.attribute("isPiece", info_->isPiece);
    json.attributeArray("streams", [&] {
      for (StreamIndex stream : shown)
        json.value(displayName(info_->streamName(stream)));
    });
  });
  for (size_t index = 0; index < shown.size(); ++index) {
    const std::vector<CallBlock> &blocks = blocks_.streams()[shown[index]];
    auto add = [&](StringRef name, auto valueOf) {
      payload.beginColumn(name + Twine(index), blocks.size());
      for (const CallBlock &block : blocks)
        payload.add(valueOf(block));
    };
    add("function", [&](const CallBlock &block) -> uint64_t {
      auto frame = frames.find(block.function);
      return frame == frames.end() ? 0 : frame->second + 1;
    });
    add("rise", [before = uint32_t(0)](const CallBlock &block) mutable {
      return std::exchange(before, block.depth) + 1 - block.depth;
    });
    add("start", [before = start](const CallBlock &block) mutable {
      return block.start - std::exchange(before, block.start);
    });
    add("duration", [](const CallBlock &block) { return block.duration(); });
    add("between", [](const CallBlock &block) { return block.duration() - block.spent; });
    add("calls",
        [](const CallBlock &block) { return 4 * block.calls + 2 * block.lost + block.hides; });
  }
  return payload;
}

Error HtmlTimelineBackend::finish() {
  blocks_.finish();
  Profile profile = profileOfCalls();
  ContextList list(profile);
  ProfilePayload data(list, info_->sourceUrl);
  notes_ = std::move(data.notes);
  std::map<FunctionIndex, uint32_t> frames = framesOf(profile, list);
  std::string packed;
  while (true) {
    auto encoded = timeline(frames).encode();
    if (!encoded)
      return encoded.takeError();
    packed = std::move(*encoded);
    if (packed.size() <= maxTimelineBytes || blocks_.size() <= 1)
      break;
    blocks_.coarsen();
  }
  return writeReportPage({.title = list.title(), .payload = data.payload, .timeline = packed},
                         *os_);
}

warpo::Registry<TimelineBackend>::Add<HtmlTimelineBackend>
    registration("html", "calls over time, and the page that warpo-flamegraph writes");

} // namespace
