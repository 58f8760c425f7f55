//===- TaskRoots.h - Tasks below the calls that started them --------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_SLICE_TASKROOTS_H
#define WARPO_SLICE_TASKROOTS_H

#include "warpo/Record/RecordFormat.h"
#include "warpo/Slice/CallTree.h"
#include "warpo/Slice/EventColumns.h"
#include <map>

namespace warpo {

/// Moves the calls of tasks below the calls that started them, according to the record, in two
/// steps. Events are forwarded with each task's outermost call within a call of a pseudo function
/// that stands for its path. Once these have become a tree, join() moves everything below the
/// pseudo function to the end of the path.
///
/// A path consists of the starter's open calls, below the starter's own path. A switch only extends
/// the path of an earlier switch, so that no task can be below itself. While a task runs within the
/// call that started it, that call waits: this time belongs to the task.
class TaskRoots : public ForwardingSink {
public:
  /// All referenced objects must outlive this. `limits` apply to the result of join(), and to the
  /// depth of paths.
  TaskRoots(const RecordHeader &header, FunctionTable &functions, const CallTreeOptions &limits,
            EventSink &next);

  llvm::Error events(const EventBatch &batch) override;

  /// `tree` was made from the forwarded events.
  CallTree join(const CallTree &tree);
  /// Calls that join() counted in an `(other)` context, like CallTreeBuilder.
  uint64_t callsInOther() const { return callsInOther_; }
  /// Calls that join() counted in a `(deeper)` context.
  uint64_t callsTooDeep() const { return callsTooDeep_; }

private:
  using PathIndex = uint32_t;
  /// A path of calls: those of a stack, and the path around them. The first path is empty.
  struct Path {
    PathIndex around;
    uint32_t stack;
    uint64_t depth;
    /// The pseudo function that stands for it; noFunction before the first task with this path.
    FunctionIndex frame = noFunction;
  };
  /// The outermost calls of a stack, up to the limit of depth, and their number.
  struct StackTop {
    uint32_t stack;
    uint32_t depth;
  };
  struct Start {
    uint64_t time;
    PathIndex path;
  };
  /// The time during which a stack waits for a task that runs within its call.
  struct Wait {
    uint64_t from, to;
  };
  /// Entries declared by the record but not yet reached by the events, in order of time.
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
    /// State after the last declaration: the path of the stream's calls, and since when it waits,
    /// if it does.
    PathIndex declaredPath = 0;
    std::optional<uint64_t> waitsSince;
    /// State reached by the events: the path for calls that begin, and of the open call.
    PathIndex path = 0;
    PathIndex openPath = 0;
    size_t depth = 0;
    uint64_t lastTime = 0;
    Counts lastCounts = {};
  };

  /// Processes the switches declared since the last call.
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
  /// By stack; cached, as many switches may refer to the same deep stack.
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
