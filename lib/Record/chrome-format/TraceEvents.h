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
  /// The name of an end that does not name its function.
  static constexpr uint32_t noName = maxNames;

  /// In nanoseconds, may be negative. `endTime` is only for complete calls.
  int64_t time;
  int64_t endTime;
  /// Position in the file.
  uint64_t offset;
  uint32_t name : 30;
  uint32_t kind : 2;

  Kind is() const { return Kind(kind); }
};

struct TraceThread {
  std::string process;
  /// Its number; 0 if its id is not a number.
  uint64_t number = 0;
  /// The displayed name.
  std::string name;
  bool isNamed = false;
  /// In the file's order.
  std::vector<TraceEvent> events;
};

/// A phase of the host, as written by our own backend.
struct TracePhase {
  std::string name;
  int64_t begin;
  int64_t end;
  std::string unit;
  uint64_t ticks;
};

/// Reads all events; those of a thread need not be in order of time.
class TraceEvents {
public:
  /// Fails if the text is not JSON, or exceeds a limit.
  llvm::Error read(InputStream &input);

  std::vector<TraceThread> threads;
  std::vector<std::string> names;
  std::vector<TracePhase> phases;
  /// The earliest time of calls and phases; 0 if there are none.
  int64_t firstTime = 0;

  /// Events that are not calls, by their kind.
  struct Others {
    llvm::StringRef plural;
    uint64_t count = 0;
  };
  std::map<llvm::StringRef, Others> others;
  /// Total bytes of calls' events without a valid time, and the position of the first one.
  uint64_t unusableBytes = 0;
  uint64_t unusableAt = 0;
  /// Whether an end does not name its call.
  bool hasBareEnds = false;
  /// Bytes and begin of a truncated event at the end of the file.
  uint64_t cutBytes = 0;
  uint64_t cutAt = 0;

private:
  struct Fields;
  void readEvent(JsonCursor &json);
  void readEvents(JsonCursor &json);
  static void readArguments(JsonCursor &json, Fields &fields);
  void take(const Fields &fields, uint64_t offset);
  static bool isOurPhase(const Fields &fields);
  /// False if it has no valid time.
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
  /// The end of the last complete event.
  uint64_t behindEvents_ = 0;
  bool hasTime_ = false;
  /// The exceeded limit.
  std::string excess_;
};

} // namespace warpo

#endif
