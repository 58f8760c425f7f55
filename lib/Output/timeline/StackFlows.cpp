//===- StackFlows.cpp -----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "StackFlows.h"

using namespace llvm;
using namespace warpo;

using Kind = RecordedSwitch::Kind;

StackFlows::StackFlows(const TimelineInfo &info)
    : header_(info.header), isOfRecord_(info.unit == info.header.timeUnit(/*hasScale=*/true)) {}

bool StackFlows::any() {
  if (!isOfRecord_)
    return false;
  for (; taken_ < header_.switches.size(); ++taken_)
    take(header_.switches[taken_]);
  return flows_ > 0;
}

uint32_t StackFlows::depthOf(uint32_t stack) {
  while (depths_.size() <= stack)
    depths_.push_back(depths_[header_.stacks[depths_.size()].parent] + 1);
  return depths_[stack];
}

void StackFlows::take(const RecordedSwitch &change) {
  // The events of a stream that shares a stack with others are on that stack.
  if (change.kind == Kind::returns || header_.streams[change.stream].stack ||
      header_.streams[change.from].stack)
    return;
  if (StreamIndex last = std::max(change.stream, change.from); last >= streams_.size())
    streams_.resize(last + 1);
  bool resumes = change.kind == Kind::resumes;
  bool isKnown = change.from != change.stream;
  Flow flow{isKnown ? ++flows_ : 0, change.time, change.stream, resumes};
  if (resumes && !isKnown)
    return;
  (resumes ? streams_[change.stream].resuming : streams_[change.stream].starting).push_back(flow);
  if (!isKnown)
    return;
  // If the end of a task resumed another one, the flow leaves with the outermost call.
  uint64_t depth = change.stack == 0 ? 1 : depthOf(change.stack);
  flow.time = change.at;
  flow.isAtOnce = change.at == change.time;
  streams_[change.from].leaving.push_back({flow, depth});
}

std::optional<StackFlows::Flow> StackFlows::takeLeaving(StreamIndex index, const Event &event,
                                                        uint64_t depth) {
  Stream *stream = find(index);
  if (!stream || stream->leaving.empty())
    return std::nullopt;
  const auto [flow, openThere] = stream->leaving.front();
  bool isThere = depth == openThere || (isEnd(event.kind) && depth > openThere);
  if (flow.time > event.time || (flow.time == event.time && !isThere))
    return std::nullopt;
  stream->leaving.pop_front();
  return flow;
}

// If several tasks were started at the same time, each gets one of the calls that begin then.
std::optional<StackFlows::Flow> StackFlows::takeStarting(StreamIndex index, const Event &event) {
  Stream *stream = find(index);
  std::optional<Flow> found;
  auto isNext = [&](uint64_t time) {
    return !stream->starting.empty() && stream->starting.front().time <= time;
  };
  auto take = [&] {
    found = stream->starting.front();
    stream->starting.pop_front();
  };
  while (stream && event.time > 0 && isNext(event.time - 1))
    take();
  if (stream && isNext(event.time))
    take();
  return found && found->id != 0 ? found : std::nullopt;
}

std::optional<StackFlows::Flow> StackFlows::takeResuming(StreamIndex index, const Event &event) {
  Stream *stream = find(index);
  std::optional<Flow> found;
  while (stream && !stream->resuming.empty() && stream->resuming.front().time <= event.time) {
    found = stream->resuming.front();
    stream->resuming.pop_front();
  }
  // An earlier flow led to something that is not shown.
  return found && found->time == event.time ? found : std::nullopt;
}

std::optional<StackFlows::Flow> StackFlows::takeLeft(StreamIndex index) {
  Stream *stream = find(index);
  if (!stream || stream->leaving.empty())
    return std::nullopt;
  Flow flow = stream->leaving.front().flow;
  stream->leaving.pop_front();
  return flow;
}
