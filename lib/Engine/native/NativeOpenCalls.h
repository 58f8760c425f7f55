//===- NativeOpenCalls.h - Open calls, tracked by native code -------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Like OpenCalls, but inlined C (warpo_native_trace_point) does the work of nearly every trace
// point, and only the rest is here.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_LIB_ENGINE_NATIVE_NATIVEOPENCALLS_H
#define WARPO_LIB_ENGINE_NATIVE_NATIVEOPENCALLS_H

#include "warpo/Support/SectionId.h"
#include "warpo/Wasm/TracePoints.h"
#include "warpo_native.h"
#include <algorithm>
#include <vector>

namespace warpo {

class NativeOpenCalls {
public:
  struct Call {
    uint32_t unit;
    int32_t id;
  };

  /// Sets up the host's stack of open calls. This object must outlive the host.
  void attach(warpo_native_host &host) {
    entries_.assign(limit + 1, noCall);
    stacks_.resize(limit);
    host.open_begin = host.open_next = entries_.data() + 1;
    host.open_limit = entries_.data() + entries_.size();
    host.forget_calls = forgetMiddle;
    host.close_call = close;
  }
  /// Makes the next call that begins ask for room, even if there is some. May be called by any
  /// thread.
  static void interrupt(warpo_native_host &host) {
    __atomic_store_n(&host.open_limit, static_cast<uint64_t *>(nullptr), __ATOMIC_RELEASE);
  }
  /// Undoes interrupt(). Must be called by the program's thread, which owns `open_begin`.
  static void endInterrupt(warpo_native_host &host) {
    __atomic_store_n(&host.open_limit, host.open_begin + limit, __ATOMIC_RELEASE);
  }
  /// Makes room if there is none.
  static void makeRoom(warpo_native_host &host) {
    if (host.open_next == host.open_begin + limit)
      forgetMiddle(&host);
  }

  static std::vector<Call> innermostFirst(const warpo_native_host &host) {
    std::vector<Call> calls;
    for (const uint64_t *at = host.open_next; at != host.open_begin;) {
      --at;
      calls.push_back(callOf(*at));
    }
    return calls;
  }

  /// Like OpenCalls::stackWithout; `child` gets a Call.
  template <typename Child>
  uint64_t stackWithout(warpo_native_host &host, size_t leftOut, Child child) {
    size_t depth = host.open_next - host.open_begin;
    depth -= std::min(leftOut, depth);
    size_t at = depth;
    while (at > 0 && !(host.open_begin[at - 1] & hasStack))
      --at;
    uint64_t stack = at == 0 ? 0 : stacks_[at - 1];
    for (; at < depth; ++at) {
      stacks_[at] = stack = child(stack, callOf(host.open_begin[at]));
      host.open_begin[at] |= hasStack;
    }
    return stack;
  }

  /// Pushes an entry. Not inlined into C, so this must be called where enough stack is left.
  static void push(warpo_native_host &host, uint64_t call) {
    makeRoom(host);
    *host.open_next++ = call;
  }
  /// Like OpenCalls::endSection, for the unit with this tag.
  static bool endSection(warpo_native_host &host, uint64_t tag) {
    uint64_t innermost = host.open_next[-1];
    bool isInnermost = innermost != noCall && (innermost & ~hasStack) >> 32 == tag >> 32 &&
                       isSection(int32_t(uint32_t(innermost)));
    host.open_next -= isInnermost;
    return isInnermost;
  }

private:
  // Calls that end without a trace point stay until an enclosing one ends, so their number is not
  // bounded by the stack.
  static constexpr size_t limit = size_t(1) << 16;
  /// No unit has this number.
  static constexpr uint64_t noCall = UINT64_MAX;
  /// Set if the stack that ends with this entry has a number. Inlined C looks for entries without
  /// this bit, so that ends of such calls are left to close().
  static constexpr uint64_t hasStack = uint64_t(1) << 63;

  static Call callOf(uint64_t entry) {
    return {uint32_t((entry & ~hasStack) >> 32), int32_t(uint32_t(entry))};
  }

  /// As in OpenCalls.
  static void forgetMiddle(warpo_native_host *host) {
    uint64_t *inner = host->open_begin + 3 * limit / 4;
    host->open_next = std::transform(inner, host->open_next, host->open_begin + limit / 4,
                                     [](uint64_t entry) { return entry & ~hasStack; });
  }

  /// An end that matches a deeper entry also ends all above it; an end that matches nothing is
  /// ignored.
  static void close(warpo_native_host *host, uint64_t call) {
    for (uint64_t *at = host->open_next; at != host->open_begin;)
      if ((*--at & ~hasStack) == call) {
        host->open_next = at;
        return;
      }
  }

  std::vector<uint64_t> entries_;
  /// The numbers of the stacks that end with these calls, for entries with hasStack.
  std::vector<uint64_t> stacks_;
};

} // namespace warpo

#endif
