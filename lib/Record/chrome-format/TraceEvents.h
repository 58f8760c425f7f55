//===- TraceEvents.h - The events of a Chrome trace -----------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_RECORD_CHROMEFORMAT_TRACEEVENTS_H
#define WARPO_LIB_RECORD_CHROMEFORMAT_TRACEEVENTS_H

#include "warpo/Support/JsonCursor.h"
#include "llvm/ADT/StringMap.h"
#include <map>
#include <vector>

namespace warpo {

/// A begin or an end of a call, or a complete call.
struct TraceEvent {
  enum class Kind : uint8_t { begin, end, complete };
  static constexpr uint32_t maxNames = uint32_t(1) << 22;
  /// The function of an end that does not name it.
  static constexpr uint32_t noName = maxNames;

  /// Nanoseconds, which may be negative. `end` is of complete calls.
  int64_t time;
  int64_t endTime;
  /// In the file.
  uint64_t offset;
  uint32_t name : 30;
  uint32_t kind : 2;

  Kind is() const { return Kind(kind); }
};

struct TraceThread {
  std::string process;
  /// Its number; 0 if it has another sort of name.
  uint64_t number = 0;
  /// What is shown.
  std::string name;
  bool isNamed = false;
  /// In the order of the file.
  std::vector<TraceEvent> events;
};

/// What our own backend writes of the host.
struct TracePhase {
  std::string name;
  int64_t begin;
  int64_t end;
  std::string unit;
  uint64_t ticks;
};

/// Reads all events; those of a thread need not be in time order.
class TraceEvents {
public:
  /// Fails where the text is no JSON, or where there is more of something than there is room for.
  llvm::Error read(InputStream &input);

  std::vector<TraceThread> threads;
  std::vector<std::string> names;
  std::vector<TracePhase> phases;
  /// The earliest of calls and phases; 0 if there are none.
  int64_t firstTime = 0;

  /// What is no call, by its name.
  struct Others {
    llvm::StringRef plural;
    uint64_t count = 0;
  };
  std::map<llvm::StringRef, Others> others;
  /// Bytes of events of calls without a time that can be, and where the first of these is.
  uint64_t unusableBytes = 0;
  uint64_t unusableAt = 0;
  /// Whether an end does not name its call.
  bool hasBareEnds = false;
  /// Bytes of the event that the file ends in, and where it begins.
  uint64_t cutBytes = 0;
  uint64_t cutAt = 0;

private:
  struct Fields;
  void readEvent(JsonCursor &json);
  void readEvents(JsonCursor &json);
  static void readArguments(JsonCursor &json, Fields &fields);
  void take(const Fields &fields, uint64_t offset);
  static bool isOurPhase(const Fields &fields);
  /// False if it has no time that can be.
  bool takeCall(const Fields &fields, uint64_t offset, TraceEvent::Kind kind);
  void addOther(const Fields &fields);
  void takeName(const Fields &fields);
  TraceThread &threadOf(const Fields &fields);
  uint32_t nameOf(const std::string &name);
  void noteTime(int64_t time);
  void addOther(llvm::StringRef singular, llvm::StringRef plural);
  void addUnusable(uint64_t from, uint64_t to);
  void nameThreads();

  std::map<std::pair<std::string, std::string>, size_t> threadOf_;
  std::map<std::string, std::string> processNames_;
  llvm::StringMap<uint32_t> nameNumbers_;
  uint64_t textSize_ = 0;
  uint64_t eventCount_ = 0;
  /// Where the last whole one ends.
  uint64_t behindEvents_ = 0;
  bool hasTime_ = false;
  /// What there is too much of.
  std::string excess_;
};

} // namespace warpo

#endif
