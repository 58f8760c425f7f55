//===- TaskRoots.h - Tasks below the calls that started them --------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_SLICE_TASKROOTS_H
#define WARPO_SLICE_TASKROOTS_H

#include "warpo/Record/RecordFormat.h"
#include "warpo/Slice/CallTree.h"
#include "warpo/Slice/EventColumns.h"
#include <map>

namespace warpo {

/// Roots the calls of tasks where the record says that they were started, in two steps: events are
/// handed on with each task's outermost call within a call of a pseudo function that stands for its
/// path, and once these are a tree, join() puts what is below it where the path leads.
///
/// A path is that of the calls which were open on the starter, below the starter's own path. A
/// switch adds to the path of an earlier one alone, so that no task can be below itself. While a
/// task runs within the call that started it, that call waits: this time is the task's.
class TaskRoots : public ForwardingSink {
public:
  /// All that is referred to outlives this. `limits` bound what join() makes, and paths are cut at
  /// its depth.
  TaskRoots(const RecordHeader &header, FunctionTable &functions, const CallTreeOptions &limits,
            EventSink &next);

  llvm::Error events(const EventBatch &batch) override;

  /// What was made of the events.
  CallTree join(const CallTree &tree);
  /// Calls that join() counted in an `(other)` context, as CallTreeBuilder does.
  uint64_t callsInOther() const { return callsInOther_; }
  /// Calls that join() counted in a `(deeper)` context.
  uint64_t callsTooDeep() const { return callsTooDeep_; }

private:
  using PathIndex = uint32_t;
  /// A path of calls: those of a stack, and the path around them. The first one has none.
  struct Path {
    PathIndex around;
    uint32_t stack;
    uint64_t depth;
    /// The pseudo function that stands for it; noFunction before the first task that has it.
    FunctionIndex frame = noFunction;
  };
  /// Of a stack, the outermost calls, as many as are shown, and how many those are.
  struct StackTop {
    uint32_t stack;
    uint32_t depth;
  };
  struct Start {
    uint64_t time;
    PathIndex path;
  };
  /// Since when a stack waits for a task that runs within its call, and until when.
  struct Wait {
    uint64_t from, to;
  };
  /// Declared and not yet reached by the events, in the order of time.
  template <typename T> class Pending {
  public:
    void push(T entry) { entries_.push_back(entry); }
    const T *front() const { return next_ < entries_.size() ? &entries_[next_] : nullptr; }
    T pop() {
      T entry = entries_[next_++];
      if (next_ == entries_.size()) {
        entries_.clear();
        next_ = 0;
      }
      return entry;
    }

  private:
    std::vector<T> entries_;
    size_t next_ = 0;
  };
  struct Stream {
    Pending<Start> starts;
    Pending<Wait> waits;
    /// Of what was declared last: the path of its calls, and whether and since when it waits.
    PathIndex declaredPath = 0;
    std::optional<uint64_t> waitsSince;
    /// Of what the events have reached: the path of the calls that begin, and of the one open.
    PathIndex path = 0;
    PathIndex openPath = 0;
    size_t depth = 0;
    uint64_t lastTime = 0;
    Counts lastCounts = {};
  };

  /// Takes what the record has declared since last time.
  void takeSwitches();
  void take(const RecordedSwitch &change);
  PathIndex pathTo(uint32_t stack, PathIndex around);
  const StackTop &topOf(uint32_t stack);
  FunctionIndex frameOf(PathIndex path);
  Stream &streamOf(StreamIndex index);
  void addWaits(Stream &stream, uint64_t time, const Counts &counts);
  void choosePath(Stream &stream, uint64_t time);
  void take(Stream &stream, const Event &event, const Counts &counts);

  const RecordHeader &header_;
  FunctionTable &functions_;
  CallTreeOptions limits_;
  /// Stands for a call's wait for a task.
  FunctionIndex waitFunction_;
  FunctionIndex otherFunction_;
  FunctionIndex deeperFunction_;
  size_t taken_ = 0;
  std::vector<Path> paths_{{0, 0, 0}};
  std::map<std::pair<PathIndex, uint32_t>, PathIndex> pathOf_;
  /// Of each stack; a record may name a deep one with each of many switches.
  std::vector<StackTop> tops_{{0, 0}};
  /// By the pseudo function.
  std::map<FunctionIndex, PathIndex> pathOfFrame_;
  std::vector<Stream> streams_;
  uint64_t callsInOther_ = 0;
  uint64_t callsTooDeep_ = 0;
  EventColumns made_;
};

} // namespace warpo

#endif
