//===- GuestThread.h - The thread and stack of a native program -----------===//
// SPDX-License-Identifier: Apache-2.0
//
// The program's native code runs on a thread with a stack of known bounds. A fault at the end of
// the stack or in reserved memory is a trap of the program; any other fault goes to the previous
// handler. A trap leaves all frames of the program at once.
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
  /// fault ended it. `body` must not have objects with destructors. Fails if the thread cannot be
  /// started, or if another GuestThread is running.
  llvm::Expected<bool> run(llvm::function_ref<void()> body);

  /// Calls another `body` within that of run(), with the same restriction. Returns null if it
  /// returned, otherwise the message with which it was left.
  static const char *attempt(llvm::function_ref<void()> body);

  /// Ends the innermost body, from within it. message() then returns `message`, which must have
  /// static storage.
  // Unlike [[noreturn]], the attribute is part of the function's type, which warpo_native_host
  // requires.
  __attribute__((noreturn)) static void leave(const char *message);
  const char *message() const { return message_; }

  /// Makes leave(), faults and noteStack() store the stack of the thread. Fails if there is no
  /// memory.
  llvm::Error noteStacks();
  /// Stores the stack of the calling thread, which must be the running GuestThread.
  static void noteStack();
  /// The return addresses of the stack that was stored last, innermost first. For a fault, the
  /// first one is the address of the faulting instruction plus one. Empty if nothing was stored.
  llvm::ArrayRef<uintptr_t> notedStack() const {
    return {reinterpret_cast<const uintptr_t *>(notes_.begin), noteCount_};
  }

  /// The lower end of the part of the stack that the program may use. Below it there is room for
  /// functions of the host.
  uintptr_t stackLimit() const;

  /// The bounds of the stack: its lowest address, and the address behind its highest one.
  std::pair<uintptr_t, uintptr_t> stackBounds() const;

  /// Reserves addresses where faults are traps, until this object is destroyed; null if there is no
  /// address space.
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

  /// The lowest part of stack_ is its guard.
  Region stack_, signalStack_;
  /// Room for the return addresses of any stack; committed when used.
  Region notes_;
  size_t noteCount_ = 0;
  std::vector<Region> reserved_;
  llvm::function_ref<void()> body_;
  /// The exit of the innermost body.
  sigjmp_buf *exit_ = nullptr;
  struct sigaction before_[2];
  bool returned_ = false;
  const char *message_ = nullptr;
  /// The running thread, for static functions.
  static std::atomic<GuestThread *> running_;
};

} // namespace warpo

#endif
