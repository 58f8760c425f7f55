//===- TracePoints.h - What an instrumented module asks of its host -------===//
// SPDX-License-Identifier: Apache-2.0
//
// The one place for the names that the two halves agree on: what instrumented code imports, all of
// it functions of the module `builtin`, and what it exports; its counters are in Counters.h.
// docs/instrumented-module.md says when each is called.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_WASM_TRACEPOINTS_H
#define WARPO_WASM_TRACEPOINTS_H

#include "warpo/Wasm/Module.h"
#include "llvm/ADT/DenseMap.h"
#include <optional>

namespace warpo::wasm {

struct Instruction;

inline constexpr llvm::StringLiteral hostModule = "builtin";

enum class HostCall : uint8_t {
  tracePoint,     ///< (i32 id): a function begins, or ends where the id is negative
  tracePointFuel, ///< (i32 id, i64 fuel): in its place where fuel is counted
  outOfFuel,      ///< (i64 fuel) -> i64: the limit is reached; the new one, or a trap
  sample,         ///< (i64 fuel) -> i64: a sample is due; when the next one is
  sampleCaller,   ///< the same, of the stack without the function that calls it
  enterFrame,     ///< (i32 id): a function begins, for a stack without times
  leaveFrame,     ///< (i32 id): it ends
  leaveStack,     ///< () -> i32: the stack may be left for another one; a number for it, never 0
  leaveStackFuel, ///< (i64 fuel) -> i32: in its place where fuel is counted
  enterStack,     ///< (i32 number): the stack that was left with it runs again; stackIsReplaced
  heap,           ///< (i32, f64, f64, f64): a change of the heap, see HeapInstrumentation.cpp
  beginSection,   ///< (i32 name, i32 length): called by programs themselves
  endSection,     ///< ()
};

/// In the place of a number of a stack: the one that is left next is left for one that takes its
/// place, so that this need not be repeated.
inline constexpr int32_t stackIsReplaced = 0;

struct HostCallInfo {
  HostCall call;
  llvm::StringLiteral name;
  llvm::ArrayRef<ValueType> params;
  llvm::ArrayRef<ValueType> results;
  /// Whether only instrumenting puts it into a module.
  bool isInserted;
};

/// All of them, in the order of the enumeration.
llvm::ArrayRef<HostCallInfo> hostCalls();
inline const HostCallInfo &hostCallInfo(HostCall call) { return hostCalls()[size_t(call)]; }

/// Which of them an imported function is, by its names.
const HostCallInfo *findHostCall(llvm::StringRef module, llvm::StringRef name);

/// With this the names of all exports begin that instrumenting puts into a module.
inline constexpr llvm::StringLiteral insertedExportPrefix = "__warpo_";

/// What has the order of first executions: see docs/order.md. A memory, or a function of the type
/// (i32) -> i32.
inline constexpr llvm::StringLiteral orderDumpExport = "__warpo_order_dump";
inline constexpr llvm::StringLiteral orderRankExport = "__warpo_order_rank";

/// The memory in which a module keeps its open calls, and tells its host of them late.
inline constexpr llvm::StringLiteral stackExport = "__warpo_stack";
bool keepsStack(const Module &module);

/// Whether a module keeps the order of first executions, for its host to take it.
bool keepsOrder(const Module &module);

/// The memory of the host in which trace points leave events by themselves, instead of a call
/// (--events-in=memory). `next` holds the address of the next event. While `end` holds the same
/// address, trace points call the host. An event is its id, in 64 bits; with --timed-events the
/// time follows, which the host keeps at `time`.
inline constexpr llvm::StringLiteral eventsImport = "events";
inline constexpr llvm::StringLiteral timedEventsImport = "timedEvents";
struct EventsMemory {
  static constexpr uint32_t next = 8;
  static constexpr uint32_t end = 12;
  static constexpr uint32_t time = 64;
  static constexpr uint32_t timeOfEvent = 8;
  static constexpr int32_t eventSize = 8;
  static constexpr int32_t timedEventSize = 16;
};

/// Whether a name is that of the function which trace points call.
inline bool isTracePoint(llvm::StringRef module, llvm::StringRef name) {
  const HostCallInfo *info = findHostCall(module, name);
  return info && info->call == HostCall::tracePoint;
}

/// Where a module tells which function begins: its calls of tracePoint, tracePointFuel,
/// enterFrame and sampleCaller, and the entries in the memory with the order of first executions,
/// or in globals: there a function's begins with minus its id.
class EntryPoints {
public:
  explicit EntryPoints(const Module &module);

  /// Whether the module has none, as it is not instrumented with any.
  bool empty() const { return functions_.empty() && !memory_ && ranks_.empty(); }
  /// The id that a body reports first, without marks; 0 if there is none, or it is not a constant.
  /// With `atBegin` it is that of a call, and nothing else stands before it.
  int32_t firstId(const ByteRange &body, bool atBegin) const;
  /// Whether a body adds marks to the id that it tells first.
  bool hasMarks(const ByteRange &body) const;

private:
  struct FirstId {
    int32_t id = 0;
    bool hasMarks = false;
  };
  FirstId find(const ByteRange &body, bool atBegin) const;

  llvm::SmallVector<uint32_t, 2> functions_;
  std::optional<uint32_t> memory_;
  /// That in which events are stored.
  std::optional<uint32_t> events_;
  /// The ids of the functions whose ranks globals hold, by their indices.
  llvm::DenseMap<uint32_t, int32_t> ranks_;
};

} // namespace warpo::wasm

#endif
