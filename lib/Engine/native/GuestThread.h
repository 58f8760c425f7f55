//===- GuestThread.h - A stack of its own, and what ends a program --------===//
// SPDX-License-Identifier: Apache-2.0
//
// Native code of a program runs on a thread with a stack of known bounds. A fault at its end or in
// a reserved memory is a trap of the program; any other is not ours and goes to the handler that
// handled it before. A trap leaves all frames of the program at once.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_LIB_ENGINE_NATIVE_GUESTTHREAD_H
#define WARPO_LIB_ENGINE_NATIVE_GUESTTHREAD_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Error.h"
#include <atomic>
#include <csetjmp>
#include <csignal>
#include <cstdint>
#include <vector>

namespace warpo {

class GuestThread {
public:
  static llvm::Expected<std::unique_ptr<GuestThread>> create();
  GuestThread(const GuestThread &) = delete;
  GuestThread &operator=(const GuestThread &) = delete;
  ~GuestThread();

  /// Calls `body` on the thread and waits for its end: true if it returned, false if leave() or a
  /// fault ended it. `body` must hold nothing that wants to be destroyed. An error if the
  /// thread cannot be started, or another one of this kind is running.
  llvm::Expected<bool> run(llvm::function_ref<void()> body);

  /// Calls `body` within that of run(): null if it returned, else the message with which it was
  /// left; then the rest goes on. It too must hold nothing that wants to be destroyed.
  static const char *attempt(llvm::function_ref<void()> body);

  /// Ends the innermost body, from within it. The text is what message() gives then, and must live
  /// on.
  // The attribute, unlike [[noreturn]], belongs to the type, which is one of warpo_native_host.
  __attribute__((noreturn)) static void leave(const char *message);
  const char *message() const { return message_; }

  /// Makes leave(), faults and noteStack() note where the thread was. An error if there is no
  /// memory for that.
  llvm::Error noteStacks();
  /// Notes where the thread is that calls this, which is the one that runs.
  static void noteStack();
  /// The return addresses of all frames that were noted last, innermost first. That of a fault lies
  /// behind what faulted by one. Empty if nothing was left, or nothing was to be noted.
  llvm::ArrayRef<uintptr_t> notedStack() const {
    return {reinterpret_cast<const uintptr_t *>(notes_.begin), noteCount_};
  }

  /// The part of the stack that the program may use ends here: below it there is enough for
  /// functions of the host.
  uintptr_t stackLimit() const;

  /// Where the stack lies that its program has: from its lowest address to behind its highest.
  std::pair<uintptr_t, uintptr_t> stackBounds() const;

  /// Addresses whose faults are traps until the object's end; null if there are none left.
  uint8_t *reserve(size_t size);

private:
  struct Region {
    uint8_t *begin = nullptr;
    size_t size = 0;
    bool contains(const void *address) const { return address >= begin && address < begin + size; }
  };

  GuestThread() = default;
  static void handleFault(int signal, siginfo_t *info, void *context);
  static void *main(void *self);
  void runHere();
  const char *describeFault(const void *address) const;

  /// The lowest part of the stack is its guard.
  Region stack_, signalStack_;
  /// Room for the return addresses of any stack, which takes memory once it is used.
  Region notes_;
  size_t noteCount_ = 0;
  std::vector<Region> reserved_;
  llvm::function_ref<void()> body_;
  /// Of the innermost body.
  sigjmp_buf *exit_ = nullptr;
  struct sigaction before_[2];
  bool returned_ = false;
  const char *message_ = nullptr;
  /// The thread that runs, for the functions that get no object.
  static std::atomic<GuestThread *> running_;
};

} // namespace warpo

#endif
