//===- ChromeBackend.cpp - Trace events as JSON, for Chrome and others ----===//
// SPDX-License-Identifier: Apache-2.0
//
//   file  := "[" event ("," newline event)* "]"      a bare array: a file cut off can be repaired
//          | {"traceEvents": [event...], "stackFrames": {number: {"name", "category"}}}
//   event := {"ph": "B" | "E", "cat", "pid", "tid", "ts", "name", "sf"?}      begin, end
//          | {"ph": "i", ..., "args"}               lost in a range
//          | {"ph": "X", ..., "dur", "args"?}       phase of the host, its ticks
//          | {"ph": "C", ..., "args"}               value of a counter of heaps
//          | {"ph": "i", "cat": "heap", ..., "args"}   growth of a memory
//          | {"ph": "M", ..., "args"}               name of process or thread
//
// Every stream is a thread. Times are microseconds, which readers convert to doubles: they count
// from shortly before the record's first event, so that nanoseconds stay exact for weeks.
//
// A function's place is a stack frame, `main (app.c:12)`, to which its begins refer. speedscope
// would make arguments a part of the function's name.
//
// Among begins and ends in the same nanosecond, a reader that sorts events (speedscope) takes the
// ends first. So if a begin and an end follow each other within a nanosecond, the later one is
// delayed by some picoseconds, which readers of whole nanoseconds do not see.
//
//===----------------------------------------------------------------------===//

#include "text/JsonText.h"
#include "text/TextBuffer.h"
#include "timeline/BatchWalk.h"
#include "timeline/DepthLimit.h"
#include "timeline/HeapTracks.h"
#include "timeline/PhaseTracks.h"
#include "timeline/StackFlows.h"
#include "warpo/Output/ProfileBackend.h"
#include "warpo/Output/StackText.h"
#include "warpo/Output/TimelineBackend.h"
#include "warpo/Record/ChromeTrace.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/StringSaver.h"
#include <optional>

using namespace llvm;
using namespace warpo;

// Perfetto has 512 levels: two are reserved for the frame of deeper calls and for a lost range.
static constexpr uint64_t maxDepth = 510;
// How long before the record's first event the times begin, in nanoseconds. Another stream may
// begin earlier than the one recorded first, and readers drop events with negative times.
static constexpr uint64_t slack = 100'000'000'000;
// Picoseconds that are not rounded to the next nanosecond.
static constexpr uint32_t maxPicoseconds = 499;

namespace {

struct Track {
  /// A line up to the time, as in `,\n{"ph":"B","cat":"wasm","pid":1,"tid":1,"ts":`.
  std::string begin;
  std::string end;
  /// The same for suspensions.
  std::string suspensionBegin = {};
  std::string suspensionEnd = {};
  /// Nanoseconds as written, without the picoseconds.
  uint64_t lastTime = 0;
  uint32_t picoseconds = 0;
  bool lastBegins = true;
  uint64_t depth = 0;
};

class ChromeBackend : public TimelineBackend {
public:
  StringRef extension() const override { return ".json"; }
  bool isBinary() const override { return false; }
  bool takesSamples() const override { return false; }

  Error begin(const TimelineInfo &info, const TimelineOptions &, raw_ostream &os) override {
    info_.emplace(info);
    flows_.emplace(*info_);
    heap_.emplace(*info_);
    out_.emplace(os);
    return Error::success();
  }

  Error events(const EventBatch &batch) override {
    // Calls without an end are shown as unfinished.
    if (batch.isCut())
      return Error::success();
    writeHead();
    if (!base_)
      setBase(info_->scale.toNanoseconds(firstTime(batch)));
    Track &track = trackOf(batch.stream);
    walkBatch(
        batch, [&](ArrayRef<Event> events) { write(track, batch.stream, events); },
        [&](const LostRange &range) { write(track, batch.stream, range); });
    return Error::success();
  }

  Error beside(const SideBatch &batch) override {
    SideEntries others = batch.entries;
    others.heap = {};
    leftOut_.add(others);
    return batch.entries.heap.empty() ? Error::success() : heap_->add(batch);
  }

  Error finish() override {
    if (Error error = heap_->finish())
      return error;
    writeHead();
    for (StreamIndex stream = 0; stream < tracks_.size(); ++stream)
      while (std::optional<StackFlows::Flow> flow = flows_->takeLeft(stream))
        writeFlow(stream, *flow, flow->leavesAt(), /*isEnd=*/false);
    uint32_t thread = firstChromePhasesThread;
    for (const PhaseTrack &track : phaseTracks(*info_))
      write(track, thread++);
    writeHeap();
    out_->append("\n]");
    if (showsPlaces_)
      writePlaces();
    out_->append("\n");
    out_->flush();
    return Error::success();
  }

  TimelineSummary summary() const override {
    TimelineSummary result;
    result.events = events_;
    limit_.addNote(result, "Perfetto draws 512 levels");
    if (earlyEvents_ > 0)
      result.notes.push_back("shown at one time, since they lie more than " +
                             std::to_string(slack / 1'000'000'000) +
                             " s before the first one recorded: " + countOf(earlyEvents_, "event"));
    if (crowdedEvents_ > 0)
      result.notes.push_back(countOf(crowdedEvents_, "event") +
                             " beyond the 500th of a nanosecond may be nested otherwise by "
                             "speedscope");
    heap_->addNotes(result);
    return result;
  }
  std::vector<std::string> omissions() const override { return leftOut_.words(); }

private:
  /// Called once it is known whether the record has source places.
  void writeHead() {
    if (std::exchange(hasHead_, true))
      return;
    showsPlaces_ = info_->functions.hasPlaces();
    out_->append(std::string(showsPlaces_ ? "{\"traceEvents\":" : "") +
                 "[\n{\"ph\":\"M\",\"pid\":1,\"tid\":0,\"name\":\"process_name\",\"args\":{"
                 "\"name\":" +
                 jsonString(displayName(info_->title)) + "}}");
  }

  void writePlaces() {
    out_->append(",\n\"stackFrames\":{");
    StringRef separator = "\n";
    for (FunctionIndex index : placed_) {
      const Function &function = info_->functions[index];
      out_->append(separator);
      separator = ",\n";
      out_->append("\"" + utostr(index) + "\":{\"name\":" +
                   jsonString(displayName(function.name) + " (" +
                              displayPlace(function.file, function.line) + ")") +
                   ",\"category\":\"wasm\"}");
    }
    out_->append("\n}}");
  }

  void setBase(uint64_t nanoseconds) { base_ = nanoseconds - std::min(nanoseconds, slack); }

  Track &trackOf(StreamIndex stream) {
    while (tracks_.size() <= stream)
      addTrack(StreamIndex(tracks_.size()));
    return tracks_[stream];
  }

  void addTrack(StreamIndex stream) {
    std::string where = R"(,"pid":1,"tid":)" + utostr(stream + 1);
    auto lineOf = [&](char kind, StringRef category) {
      return std::string(",\n{\"ph\":\"") + kind + R"(","cat":")" + category.str() + '"' + where +
             R"(,"ts":)";
    };
    tracks_.push_back({.begin = lineOf('B', "wasm"),
                       .end = lineOf('E', "wasm"),
                       .suspensionBegin = lineOf('B', "suspended"),
                       .suspensionEnd = lineOf('E', "suspended")});
    out_->append(",\n{\"ph\":\"M\"" + where + R"(,"name":"thread_name","args":{"name":)" +
                 jsonString(displayName(info_->streamName(stream))) + "}}");
  }

  /// The rest of a line after the time, as in `,"name":"f"}`.
  StringRef tailOf(FunctionIndex function, bool begins) {
    if (function >= tails_.size())
      tails_.resize(info_->functions.size());
    StringRef &tail = tails_[function];
    if (tail.empty()) {
      const Function &called = info_->functions[function];
      std::string text = ",\"name\":" + jsonString(displayName(called.name));
      tail = saver_.save(text + "}");
      if (showsPlaces_ && !called.file.empty()) {
        placed_.push_back(function);
        placedTails_[function] = saver_.save(text + ",\"sf\":" + utostr(function) + "}");
      }
    }
    if (LLVM_LIKELY(placedTails_.empty()) || !begins)
      return tail;
    auto placed = placedTails_.find(function);
    return placed == placedTails_.end() ? tail : placed->second;
  }

  void write(Track &track, StreamIndex stream, ArrayRef<Event> events) {
    bool hasSuspensions = info_->functions.hasSuspensions();
    bool hasFlows = flows_->any();
    for (const Event &event : events) {
      if (LLVM_UNLIKELY(hasFlows))
        writeFlowsBefore(track, stream, event);
      DepthLimit::Show show = limit_.take(event.kind, track.depth);
      if (LLVM_UNLIKELY(show == DepthLimit::Show::nothing))
        continue;
      bool begins = event.kind == EventKind::begin;
      writeLine(track, begins, event.time,
                LLVM_LIKELY(show == DepthLimit::Show::call) ? tailOf(event.function, begins)
                                                            : deeperTail_,
                hasSuspensions && info_->functions.isSuspension(event.function));
      if (LLVM_UNLIKELY(hasFlows))
        writeFlowsAfter(track, stream, event);
    }
    events_ += events.size();
  }

  void writeFlowsBefore(const Track &track, StreamIndex stream, const Event &event) {
    while (std::optional<StackFlows::Flow> flow = flows_->takeLeaving(stream, event, track.depth))
      writeFlow(stream, *flow, flow->leavesAt(), /*isEnd=*/false);
  }

  void writeFlowsAfter(const Track &track, StreamIndex stream, const Event &event) {
    std::optional<StackFlows::Flow> flow;
    if (event.kind == EventKind::begin && track.depth == 1)
      flow = flows_->takeStarting(stream, event);
    else if (isEnd(event.kind) && info_->functions.isSuspension(event.function))
      flow = flows_->takeResuming(stream, event);
    if (flow)
      writeFlow(stream, *flow, event.time, /*isEnd=*/true);
  }

  /// For the call that is open there.
  void writeFlow(StreamIndex stream, const StackFlows::Flow &flow, uint64_t counts, bool isEnd) {
    Track moment;
    moment.lastTime = std::max(info_->scale.toNanoseconds(counts), *base_) - *base_;
    if (moment.lastTime == tracks_[stream].lastTime)
      moment.picoseconds = tracks_[stream].picoseconds;
    out_->append(std::string(",\n{\"ph\":\"") + (isEnd ? R"(f","bp":"e)" : "s") +
                 R"(","cat":"async","id":)" + utostr(flow.id) + R"(,"pid":1,"tid":)" +
                 utostr(stream + 1) + R"(,"ts":)");
    writeTime(moment);
    out_->append(std::string(",\"name\":\"") + (flow.resumes ? "resumes" : "starts") + "\"}");
  }

  void write(Track &track, StreamIndex stream, const LostRange &range) {
    if (!limit_.hasRoom(track.depth))
      return;
    writeLine(track, true, range.from, lostTail_);
    // No arguments in the events themselves: speedscope makes them part of the name.
    out_->append(R"(,
{"ph":"i","s":"t","cat":"lost","pid":1,"tid":)" +
                 utostr(stream + 1) + R"(,"ts":)");
    writeTime(track);
    out_->append(R"(,"name":"lost","args":{)");
    if (range.count)
      out_->append("\"entries\":" + utostr(range.count));
    if (range.function != noFunction)
      out_->append(std::string(range.count ? "," : "") + "\"end without a begin\":" +
                   jsonString(displayName(info_->functions[range.function].name)));
    out_->append("}}");
    writeLine(track, false, range.to, lostTail_);
  }

  void write(const PhaseTrack &track, uint32_t thread) {
    if (!base_)
      setBase(track.phases.front().begin);
    std::string where = R"(,"pid":1,"tid":)" + utostr(thread);
    out_->append(",\n{\"ph\":\"M\"" + where + R"(,"name":"thread_name","args":{"name":)" +
                 jsonString(displayName(track.name)) + "}}");
    for (const PhaseSlice &phase : track.phases) {
      uint64_t begin = std::max(phase.begin, *base_), end = std::max(phase.end, *base_);
      earlyEvents_ += phase.begin < *base_;
      out_->append(",\n{\"ph\":\"X\",\"cat\":\"host\"" + where + R"(,"ts":)");
      out_->advanceTo(writeThousandths(out_->reserve(maxTime), begin - *base_));
      out_->append(",\"dur\":");
      out_->advanceTo(writeThousandths(out_->reserve(maxTime), end - begin));
      out_->append(",\"name\":" + jsonString(displayName(phase.name)));
      if (!phase.unit.empty())
        out_->append(",\"args\":{" + jsonString(displayName(phase.unit)) + ":" +
                     utostr(phase.ticks) + "}");
      out_->append("}");
    }
  }

  void writeHeap() {
    for (const HeapCounter &counter : heap_->counters())
      for (auto [nanoseconds, amount] : counter.values)
        writeOfProcess("C", nanoseconds,
                       "\"name\":\"" + counter.name + "\",\"args\":{\"" + counter.unit +
                           "\":" + Twine(amount) + "}");
    for (const HeapGrowth &growth : heap_->growths())
      writeOfProcess("i\",\"s\":\"p\",\"cat\":\"heap", growth.nanoseconds,
                     "\"name\":\"" + growth.name() + "\",\"args\":{\"" + growth.unit() +
                         "\":" + Twine(growth.size) + ",\"stack\":" +
                         jsonString(stackText(info_->functions, growth.stack)) + "}");
  }

  /// A line in which only the time comes between the kind and the rest.
  void writeOfProcess(StringRef kind, uint64_t nanoseconds, const Twine &rest) {
    if (!base_)
      setBase(nanoseconds);
    earlyEvents_ += nanoseconds < *base_;
    out_->append((",\n{\"ph\":\"" + kind + R"(","pid":1,"tid":0,"ts":)").str());
    out_->advanceTo(
        writeThousandths(out_->reserve(maxTime), std::max(nanoseconds, *base_) - *base_));
    out_->append(("," + rest + "}").str());
    ++events_;
  }

  void writeLine(Track &track, bool begins, uint64_t counts, StringRef tail,
                 bool isSuspension = false) {
    advance(track, begins, info_->scale.toNanoseconds(counts));
    StringRef head = begins ? track.begin : track.end;
    if (LLVM_UNLIKELY(isSuspension))
      head = begins ? track.suspensionBegin : track.suspensionEnd;
    char *at = out_->reserve(head.size() + maxTime + tail.size());
    at = TextBuffer::copy(at, head);
    at = timeText(at, track);
    out_->advanceTo(TextBuffer::copy(at, tail));
  }

  void advance(Track &track, bool begins, uint64_t nanoseconds) {
    if (LLVM_UNLIKELY(nanoseconds < *base_)) {
      ++earlyEvents_;
      nanoseconds = *base_;
    }
    uint64_t time = std::max(nanoseconds - *base_, track.lastTime);
    if (time != track.lastTime)
      track.picoseconds = 0;
    else if (begins != track.lastBegins && track.picoseconds < maxPicoseconds)
      ++track.picoseconds;
    else if (begins != track.lastBegins)
      ++crowdedEvents_;
    track.lastTime = time;
    track.lastBegins = begins;
  }

  // 12.345, 12.345001
  static constexpr size_t maxTime = maxDecimal + 4;
  static char *timeText(char *at, const Track &track) {
    at = writeThousandths(at, track.lastTime);
    return LLVM_LIKELY(track.picoseconds == 0) ? at : writeDigits(at, track.picoseconds, 3);
  }
  void writeTime(const Track &track) { out_->advanceTo(timeText(out_->reserve(maxTime), track)); }

  std::optional<TimelineInfo> info_;
  std::optional<StackFlows> flows_;
  std::optional<HeapTracks> heap_;
  SideCounts leftOut_;
  std::optional<TextBuffer> out_;
  /// The time 0 of the output, in nanoseconds.
  std::optional<uint64_t> base_;
  std::vector<Track> tracks_;
  DepthLimit limit_{maxDepth};
  BumpPtrAllocator allocator_;
  StringSaver saver_{allocator_};
  std::vector<StringRef> tails_;
  bool hasHead_ = false;
  bool showsPlaces_ = false;
  /// The tails of begins with a place, by function; and these functions in the order of their first
  /// use.
  DenseMap<FunctionIndex, StringRef> placedTails_;
  std::vector<FunctionIndex> placed_;
  std::string deeperTail_ = ",\"name\":" + jsonString(DepthLimit::deeperName) + "}";
  std::string lostTail_ = R"(,"name":"[lost]"})";
  uint64_t events_ = 0;
  uint64_t earlyEvents_ = 0;
  uint64_t crowdedEvents_ = 0;
};

warpo::Registry<TimelineBackend>::Add<ChromeBackend>
    registration("chrome", "JSON trace events, for Perfetto, chrome://tracing, speedscope");

} // namespace
