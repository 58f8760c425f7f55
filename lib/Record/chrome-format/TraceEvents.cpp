//===- TraceEvents.cpp ----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "TraceEvents.h"
#include "warpo/Record/ChromeTrace.h"
#include "warpo/Support/Errors.h"
#include "warpo/Support/NumberText.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include <cmath>
#include <optional>

using namespace llvm;
using namespace warpo;

// Each takes 32 bytes, and its call 32 more while its thread is read.
static constexpr uint64_t maxEvents = 100'000'000;
static constexpr uint64_t maxText = uint64_t(1) << 28;
static constexpr size_t maxThreads = size_t(1) << 16;
// Nanoseconds, so that neither a difference nor a sum of two of them overflows: 73 years.
static constexpr int64_t latestTime = int64_t(1) << 61;

/// The fields of an event's object, as text.
struct TraceEvents::Fields {
  std::string kind;
  std::string name;
  bool hasName = false;
  std::string category;
  std::string process;
  std::string thread;
  std::string time;
  std::string duration;
  /// The argument `name`; key and value of the first numeric argument.
  std::string nameArgument;
  std::string unit;
  std::string ticks;
};

/// Converts decimal microseconds to nanoseconds: exact with up to three digits after the point,
/// otherwise rounded down. Nothing if it is not a time.
static std::optional<int64_t> nanosecondsOf(StringRef text) {
  bool isNegative = text.consume_front("-");
  auto [whole, fraction] = text.split('.');
  uint64_t microseconds, thousandths = 0;
  std::string digits = fraction.take_front(3).str();
  digits.resize(3, '0');
  bool isDecimal = all_of(fraction, isDigit) && !whole.empty() && all_of(whole, isDigit);
  if (isDecimal && !whole.getAsInteger(10, microseconds) &&
      !StringRef(digits).getAsInteger(10, thousandths) &&
      microseconds < uint64_t(latestTime) / 1000) {
    auto time = int64_t(microseconds * 1000 + thousandths);
    return isNegative ? -time : time;
  }
  std::optional<double> number = text.starts_with("-") ? std::nullopt : numberInText(text);
  if (!number)
    return std::nullopt;
  double time = std::floor(*number * 1000);
  if (!(time < double(latestTime)))
    return std::nullopt;
  return isNegative ? -int64_t(time) : int64_t(time);
}

Error TraceEvents::read(InputStream &input) {
  JsonCursor json(input);
  json.takeMark();
  bool isArray = json.peek() == '[';
  bool hasEvents = isArray;
  if (isArray)
    readEvents(json);
  else
    json.object([&](StringRef key) {
      if (key == "traceEvents" && json.peek() == '[') {
        hasEvents = true;
        readEvents(json);
      } else if (key == "stackFrames" && json.peek() == '{') {
        json.object([&](StringRef) {
          addOther("stack frame", "stack frames");
          json.skip();
        });
      } else {
        json.skip();
      }
    });
  if (!excess_.empty())
    return fileError(input.name(), "it has more than " + excess_);
  // The format permits an unclosed array.
  bool endsEarly = json.isCut() && eventCount_ > 0;
  if (json.failed() && !endsEarly)
    return json.takeError();
  if (!json.failed() && json.peek() != JsonCursor::end)
    return offsetError(input.name(), json.offset(), "something follows the trace");
  if (!hasEvents)
    return fileError(input.name(), "not a Chrome trace: it has no list of traceEvents");
  if (json.failed() && !isArray)
    cutAt = cutAt != 0 ? cutAt : behindEvents_;
  if (cutAt != 0)
    cutBytes = json.offset() - cutAt;
  nameThreads();
  return Error::success();
}

void TraceEvents::readEvents(JsonCursor &json) {
  json.array([&] {
    // The last character may be a comma.
    if (json.peek() == JsonCursor::end || !excess_.empty())
      return json.skip();
    readEvent(json);
  });
}

void TraceEvents::readEvent(JsonCursor &json) {
  uint64_t offset = json.offset();
  Fields fields;
  if (json.peek() != '{') {
    json.skip();
    if (!json.failed())
      addUnusable(offset, json.offset());
    return;
  }
  json.object([&](StringRef key) {
    if (std::string *field = StringSwitch<std::string *>(key)
                                 .Case("ph", &fields.kind)
                                 .Case("name", &fields.name)
                                 .Case("cat", &fields.category)
                                 .Case("pid", &fields.process)
                                 .Case("tid", &fields.thread)
                                 .Case("ts", &fields.time)
                                 .Case("dur", &fields.duration)
                                 .Default(nullptr)) {
      *field = json.text();
      fields.hasName |= key == "name";
    } else if (key == "args" && json.peek() == '{') {
      readArguments(json, fields);
    } else {
      json.skip();
    }
  });
  if (json.failed()) {
    if (json.isCut())
      cutAt = offset;
    return;
  }
  ++eventCount_;
  behindEvents_ = json.offset();
  take(fields, offset);
}

void TraceEvents::readArguments(JsonCursor &json, Fields &fields) {
  json.object([&](StringRef key) {
    int next = json.peek();
    if (key == "name" && next == '"') {
      fields.nameArgument = json.text();
    } else if (fields.unit.empty() && next >= '0' && next <= '9') {
      fields.unit = key.str();
      fields.ticks = json.text();
    } else {
      json.skip();
    }
  });
}

void TraceEvents::take(const Fields &fields, uint64_t offset) {
  using Kind = TraceEvent::Kind;
  std::optional<Kind> kind = StringSwitch<std::optional<Kind>>(fields.kind)
                                 .Case("B", Kind::begin)
                                 .Case("E", Kind::end)
                                 .Case("X", Kind::complete)
                                 .Default(std::nullopt);
  if (kind && !takeCall(fields, offset, *kind))
    addUnusable(offset, behindEvents_);
  if (!kind && fields.kind == "M")
    takeName(fields);
  else if (!kind)
    addOther(fields);
}

void TraceEvents::addOther(StringRef singular, StringRef plural) {
  Others &known = others[singular];
  known.plural = plural;
  ++known.count;
}

void TraceEvents::addOther(const Fields &fields) {
  static constexpr struct {
    StringLiteral kinds, singular, plural;
  } words[] = {
      {"iIR", "instant", "instants"}, {"C", "counter", "counters"},
      {"stf", "flow", "flows"},       {"benSTpF", "asynchronous event", "asynchronous events"},
      {"P", "sample", "samples"},     {"NOD", "object", "objects"},
  };
  for (const auto &[kinds, singular, plural] : words)
    if (fields.kind.size() == 1 && kinds.contains(fields.kind.front()))
      return addOther(singular, plural);
  addOther("event of another kind", "events of other kinds");
}

void TraceEvents::addUnusable(uint64_t from, uint64_t to) {
  if (unusableBytes == 0)
    unusableAt = from;
  unusableBytes += to - from;
}

bool TraceEvents::isOurPhase(const Fields &fields) {
  uint32_t process, thread;
  return fields.category == "host" && !StringRef(fields.process).getAsInteger(10, process) &&
         process == chromeProcess && !StringRef(fields.thread).getAsInteger(10, thread) &&
         thread >= firstChromePhasesThread;
}

bool TraceEvents::takeCall(const Fields &fields, uint64_t offset, TraceEvent::Kind kind) {
  using Kind = TraceEvent::Kind;
  std::optional<int64_t> time = nanosecondsOf(fields.time);
  std::optional<int64_t> duration = 0;
  if (!fields.duration.empty() && kind == Kind::complete)
    duration = nanosecondsOf(fields.duration);
  if (!time || !duration || *duration < 0)
    return false;
  if (eventCount_ > maxEvents)
    excess_ = countOf(maxEvents, "event");
  noteTime(*time);
  int64_t end = std::min(*time + *duration, latestTime);
  if (kind == Kind::complete && isOurPhase(fields)) {
    TracePhase &phase = phases.emplace_back(TracePhase{fields.name, *time, end, "", 0});
    if (!StringRef(fields.ticks).getAsInteger(10, phase.ticks))
      phase.unit = fields.unit;
    return true;
  }
  bool isBareEnd = kind == Kind::end && !fields.hasName;
  hasBareEnds |= isBareEnd;
  threadOf(fields).events.push_back({.time = *time,
                                     .endTime = end,
                                     .offset = offset,
                                     .name = isBareEnd ? TraceEvent::noName : nameOf(fields.name),
                                     .kind = uint32_t(kind)});
  return true;
}

void TraceEvents::noteTime(int64_t time) {
  firstTime = hasTime_ ? std::min(firstTime, time) : time;
  hasTime_ = true;
}

void TraceEvents::takeName(const Fields &fields) {
  if (fields.name == "process_name")
    processNames_[fields.process] = fields.nameArgument;
  if (fields.name != "thread_name" || fields.nameArgument.empty())
    return;
  TraceThread &thread = threadOf(fields);
  thread.name = fields.nameArgument;
  thread.isNamed = true;
}

TraceThread &TraceEvents::threadOf(const Fields &fields) {
  auto [entry, isNew] = threadOf_.try_emplace({fields.process, fields.thread}, threads.size());
  if (!isNew)
    return threads[entry->second];
  if (threads.size() == maxThreads)
    excess_ = countOf(maxThreads, "thread");
  TraceThread &thread = threads.emplace_back();
  thread.process = fields.process;
  thread.name = fields.thread;
  if (StringRef(fields.thread).getAsInteger(10, thread.number))
    thread.number = 0;
  return thread;
}

uint32_t TraceEvents::nameOf(const std::string &name) {
  auto known = nameNumbers_.find(name);
  if (known != nameNumbers_.end())
    return known->second;
  textSize_ += name.size();
  if (names.size() == TraceEvent::maxNames || textSize_ > maxText) {
    excess_ = names.size() == TraceEvent::maxNames ? countOf(TraceEvent::maxNames, "name")
                                                   : countOf(maxText, "byte") + " of names";
    return 0;
  }
  auto number = uint32_t(names.size());
  nameNumbers_.try_emplace(name, number);
  names.push_back(name);
  return number;
}

void TraceEvents::nameThreads() {
  // Removes threads without calls, such as those of processes' names or phases.
  llvm::erase_if(threads, [](const TraceThread &thread) { return thread.events.empty(); });
  bool hasProcesses = any_of(threads, [&](const TraceThread &thread) {
    return thread.process != threads.front().process;
  });
  for (TraceThread &thread : threads) {
    if (!thread.isNamed)
      thread.name = thread.name.empty() ? "" : "thread " + thread.name;
    if (!hasProcesses)
      continue;
    // Thread numbers are only unique within a process.
    thread.number = 0;
    auto known = processNames_.find(thread.process);
    std::string process =
        known == processNames_.end() ? "process " + thread.process : known->second;
    thread.name = thread.name.empty() ? process : process + ": " + thread.name;
  }
}
