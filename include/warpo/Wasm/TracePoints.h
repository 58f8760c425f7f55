//===- TracePoints.h - Imports and exports of instrumented code -----------===//
// SPDX-License-Identifier: Apache-2.0
//
// The names that the two halves agree on: functions that instrumented code imports from the module
// `builtin`, and its exports, except counters (Counters.h). docs/instrumented-module.md says when
// each function is called.
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
  tracePoint,     ///< (i32 id): a function begins or, if the id is negative, ends
  tracePointFuel, ///< (i32 id, i64 fuel): the same if fuel is counted
  outOfFuel,      ///< (i64 fuel) -> i64: the limit is reached; returns the new one, or traps
  sample,         ///< (i64 fuel) -> i64: a sample is due; returns when the next one is
  sampleCaller,   ///< the same; the sample excludes the function that calls this
  enterFrame,     ///< (i32 id): a function begins, for a stack without times
  leaveFrame,     ///< (i32 id): it ends
  leaveStack,     ///< () -> i32: the stack may be left; returns a number for it, never 0
  leaveStackFuel, ///< (i64 fuel) -> i32: the same if fuel is counted
  enterStack,     ///< (i32 number): that stack runs again; or stackIsReplaced
  enterModule,    ///< (i32 trapped): control enters the module from outside, by a call or a return
  heap,           ///< (i32, f64, f64, f64): a change of the heap, see HeapInstrumentation.cpp
  beginSection,   ///< (i32 name, i32 length): called by programs themselves
  endSection,     ///< ()
};

/// Passed instead of the number of a stack: the stack that is left next is replaced by the one that
/// runs then.
inline constexpr int32_t stackIsReplaced = 0;

struct HostCallInfo {
  HostCall call;
  llvm::StringLiteral name;
  llvm::ArrayRef<ValueType> params;
  llvm::ArrayRef<ValueType> results;
  /// Whether only instrumentation adds it to a module; otherwise programs themselves may call it.
  bool isInserted;
};

/// All calls, in the order of the enumeration.
llvm::ArrayRef<HostCallInfo> hostCalls();
inline const HostCallInfo &hostCallInfo(HostCall call) { return hostCalls()[size_t(call)]; }

/// Finds the host call of an imported function; null if it is none.
const HostCallInfo *findHostCall(llvm::StringRef module, llvm::StringRef name);

/// The prefix of all exports that instrumentation adds.
inline constexpr llvm::StringLiteral insertedExportPrefix = "__warpo_";

/// Exports with the order of first executions (docs/order.md): a memory, or a function (i32) ->
/// i32.
inline constexpr llvm::StringLiteral orderDumpExport = "__warpo_order_dump";
inline constexpr llvm::StringLiteral orderRankExport = "__warpo_order_rank";

/// A function () -> i32: if the module's code seems to run, a trap has ended it, which this
/// reports. Returns 1 if calls of the module may still be open, plus 2 if it has reported a trap.
inline constexpr llvm::StringLiteral reportTrapExport = "__warpo_report_trap";

/// The memory in which a module keeps its open calls to report them later.
inline constexpr llvm::StringLiteral stackExport = "__warpo_stack";
bool keepsStack(const Module &module);

/// Whether a module keeps the order of first executions for its host.
bool keepsOrder(const Module &module);

/// The memory of the host in which trace points store events, each of which is an id, instead of
/// calling the host (--events-in=memory). `next` holds the address of the next event. If that is
/// not less than `end`, trace points call the host. Another thread may store 0 there, when it has
/// stored a new time at `time`; nothing else is near.
inline constexpr llvm::StringLiteral eventsImport = "storedIds";
struct EventsMemory {
  static constexpr uint32_t next = 8;
  static constexpr uint32_t time = 64;
  static constexpr uint32_t end = 72;
  static constexpr int32_t eventSize = 4;
};

/// Whether an import is the function that trace points call.
inline bool isTracePoint(llvm::StringRef module, llvm::StringRef name) {
  const HostCallInfo *info = findHostCall(module, name);
  return info && info->call == HostCall::tracePoint;
}

/// Finds the code that reports which function begins: calls of tracePoint, tracePointFuel,
/// enterFrame and sampleCaller, stores to the memory of open calls or of first executions, and
/// accesses of the globals with ranks of first executions, each of which is initialised with minus
/// its function's id.
class EntryPoints {
public:
  explicit EntryPoints(const Module &module);

  /// Whether the module has no such reports.
  bool empty() const { return functions_.empty() && !memory_ && ranks_.empty(); }
  /// The id that a body reports first, without marks; 0 if there is none or if it is not a
  /// constant. If the module reports its heap, that may be one that the body only begins with. With
  /// `atBegin` only an id with no other code before its report.
  int32_t firstId(const ByteRange &body, bool atBegin) const;
  /// Whether a body adds marks to the id that it reports first.
  bool hasMarks(const ByteRange &body) const;

private:
  struct FirstId {
    int32_t id = 0;
    bool hasMarks = false;
  };
  FirstId find(const ByteRange &body, bool atBegin) const;
  FirstId findReported(const ByteRange &body, bool atBegin) const;

  llvm::SmallVector<uint32_t, 2> functions_;
  /// Whether functions may begin with their ids as unused constants.
  bool hasMarkers_ = false;
  std::optional<uint32_t> memory_;
  /// The memory in which events are stored.
  std::optional<uint32_t> events_;
  /// For each global with the rank of a function: the function's id.
  llvm::DenseMap<uint32_t, int32_t> ranks_;
};

} // namespace warpo::wasm

#endif
