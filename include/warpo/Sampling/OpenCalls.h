//===- OpenCalls.h - The calls that have begun and not ended --------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_SAMPLING_OPENCALLS_H
#define WARPO_SAMPLING_OPENCALLS_H

#include "warpo/Support/SectionId.h"
#include "warpo/Wasm/TracePoints.h"
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace warpo {

/// A call that has begun and not ended.
struct OpenCall {
  uint64_t module;
  int32_t id;
};

/// Tracks open calls from the trace points of all modules, for example to print them at a trap.
class OpenCalls {
public:
  void follow(uint64_t module, int32_t id) {
    if (id > 0) {
      if (calls_.size() == limit)
        forgetMiddle();
      calls_.push_back({{module, id}});
    } else if (!calls_.empty() && calls_.back().call.id == -int64_t(id) &&
               calls_.back().call.module == module) {
      calls_.pop_back();
    } else {
      unwind(module, id);
    }
  }

  /// Ends the innermost section of the current function; false if there is none.
  bool endSection(uint64_t module) {
    bool isInnermost =
        !calls_.empty() && calls_.back().call.module == module && isSection(calls_.back().call.id);
    if (isInnermost)
      calls_.pop_back();
    return isInnermost;
  }

  std::vector<OpenCall> innermostFirst() const {
    std::vector<OpenCall> calls;
    calls.reserve(calls_.size());
    for (auto at = calls_.rbegin(); at != calls_.rend(); ++at)
      calls.push_back(at->call);
    return calls;
  }

  /// The number of the stack of these calls without the innermost `leftOut`. `child(around, call)`
  /// returns that of a call within the stack numbered `around`, 0 being the empty stack. It must
  /// always be the same function, and is called once for each call.
  template <typename Child> uint64_t stackWithout(size_t leftOut, Child child) {
    auto end = calls_.end() - std::min(leftOut, calls_.size());
    // Stacks are assigned from the outermost call on: calls around one that has a stack have one.
    auto at = end;
    while (at != calls_.begin() && !at[-1].hasStack)
      --at;
    uint64_t stack = at == calls_.begin() ? 0 : at[-1].stack;
    for (; at != end; ++at) {
      at->stack = stack = child(stack, at->call);
      at->hasStack = true;
    }
    return stack;
  }

private:
  struct Entry {
    OpenCall call;
    bool hasStack = false;
    /// See stackWithout().
    uint64_t stack = 0;
  };

  // Frames that an exception leaves behind stay until an enclosing call ends, so there may be any
  // number of them. Beyond this limit, forget the middle half, to keep the callers of a deep
  // recursion and the innermost frames. Ends of forgotten frames match nothing, unless their
  // function is also open further out.
  static constexpr size_t limit = size_t(1) << 16;

  void forgetMiddle() {
    calls_.erase(calls_.begin() + limit / 4, calls_.begin() + 3 * limit / 4);
    for (size_t at = limit / 4; at < calls_.size(); ++at)
      calls_[at].hasStack = false;
  }

  /// An end that matches a deeper call also ends the calls within it; one that matches nothing is
  /// ignored. After two traps it ends the outermost call of its function.
  void unwind(uint64_t module, int32_t id) {
    size_t traps = 0;
    for (; !calls_.empty() && calls_.back().call.id == trapId; ++traps)
      calls_.pop_back();
    auto isIt = [&](const Entry &entry) {
      return entry.call.id > 0 && entry.call.id == -int64_t(id) && entry.call.module == module;
    };
    auto above = std::find_if(calls_.rbegin(), calls_.rend(), isIt).base();
    if (above == calls_.begin())
      return;
    calls_.erase(traps > 1 ? std::find_if(calls_.begin(), above, isIt) : above - 1, calls_.end());
  }

  std::vector<Entry> calls_;
};

} // namespace warpo

#endif
