//===- StackSampler.h - Samples of a thread of machine code ---------------===//
// SPDX-License-Identifier: Apache-2.0
//
// A timer's signal interrupts the program's thread, and its handler notes the return addresses on
// the stack. A thread of its own makes functions of the addresses and records them.
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
  /// Whether the registers of this kind of machine are known here.
  static bool isSupported();

  /// `host` says when a function of the host runs; the program's stack lies within `stack`. All
  /// must outlive it, and `stacks` must know the program's functions. An error if there is no free
  /// signal, no memory or no thread.
  static llvm::Expected<std::unique_ptr<StackSampler>>
  create(const warpo_native_host &host, std::pair<uintptr_t, uintptr_t> stack,
         std::chrono::nanoseconds period, NativeStacks stacks, EngineSamples &samples);
  StackSampler(const StackSampler &) = delete;
  StackSampler &operator=(const StackSampler &) = delete;
  ~StackSampler();

  /// Begins to sample the calling thread.
  llvm::Error start();
  /// All that was sampled is recorded when this returns. The thread that called start() must have
  /// ended.
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
  /// Of the handler: what the thread had had at its last sample.
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
