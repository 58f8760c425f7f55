//===- StackSampler.h - Samples a thread of machine code ------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The signal of a timer interrupts the program's thread, and its handler collects the return
// addresses on the stack. A separate thread maps the addresses to functions and records these.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_LIB_ENGINE_NATIVE_STACKSAMPLER_H
#define WARPO_LIB_ENGINE_NATIVE_STACKSAMPLER_H

#include "NativeStacks.h"
#include "StackRing.h"
#include <csignal>
#include <ctime>
#include <pthread.h>
#include <semaphore.h>

namespace warpo {

class StackSampler {
public:
  /// Whether this architecture is supported.
  static bool isSupported();

  /// `host` says whether a function of the host runs; `stack` has the bounds of the program's
  /// stack; `stacks` must have all modules of the program. `host` and `samples` must outlive this.
  /// Fails if there is no free signal, no memory or no thread.
  static llvm::Expected<std::unique_ptr<StackSampler>>
  create(const warpo_native_host &host, std::pair<uintptr_t, uintptr_t> stack,
         std::chrono::nanoseconds period, NativeStacks stacks, EngineSamples &samples);
  StackSampler(const StackSampler &) = delete;
  StackSampler &operator=(const StackSampler &) = delete;
  ~StackSampler();

  /// Starts sampling the calling thread.
  llvm::Error start();
  /// Stops sampling; all samples have been recorded when this returns. The thread that called
  /// start() must have ended.
  void stop();

private:
  StackSampler(const warpo_native_host &host, std::pair<uintptr_t, uintptr_t> stack,
               std::chrono::nanoseconds period, NativeStacks stacks, EngineSamples &samples)
      : host_(host), stack_{stack.first, stack.second}, period_(period), stacks_(std::move(stacks)),
        samples_(samples) {}
  llvm::Error prepare();
  bool takeSignal();
  static void handle(int signal, siginfo_t *info, void *context);
  void take(const ucontext_t &context);
  static void *main(void *self);
  void run();
  void record();

  const warpo_native_host &host_;
  const StackWords stack_;
  const std::chrono::nanoseconds period_;
  NativeStacks stacks_;
  EngineSamples &samples_;

  StackRing ring_;
  /// Used by the handler: the thread's processor time at its last sample.
  uint64_t lastCpuTime_ = 0;
  int signal_ = 0;
  struct sigaction before_ = {};
  std::optional<timer_t> timer_;
  std::optional<pthread_t> thread_;
  sem_t wake_;
  std::atomic<bool> isEnding_ = false;
};

} // namespace warpo

#endif
