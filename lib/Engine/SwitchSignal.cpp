//===- SwitchSignal.cpp ---------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "SwitchSignal.h"
#include <atomic>
#include <cerrno>
#include <semaphore.h>

using namespace warpo;

// The only state that the signal handler uses.
static sem_t wanted;
static std::atomic<bool> ends;

static void wake(int) {
  int before = errno;
  sem_post(&wanted);
  errno = before;
}

static void serve(const std::function<void()> &onSignal) {
  while (true) {
    while (sem_wait(&wanted) != 0 && errno == EINTR)
      ;
    if (ends)
      return;
    onSignal();
  }
}

SwitchSignal::SwitchSignal(std::function<void()> onSignal) {
  ends = false;
  sem_init(&wanted, /*pshared=*/0, 0);
  thread_ = std::thread([onSignal = std::move(onSignal)] { serve(onSignal); });
  struct sigaction action = {};
  action.sa_handler = wake;
  // The program must continue, even if it waits in a system call or its stack is exhausted.
  action.sa_flags = SA_RESTART | SA_ONSTACK;
  sigaction(SIGUSR2, &action, &before_);
}

SwitchSignal::~SwitchSignal() {
  sigaction(SIGUSR2, &before_, nullptr);
  ends = true;
  sem_post(&wanted);
  thread_.join();
  sem_destroy(&wanted);
}
