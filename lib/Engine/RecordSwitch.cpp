//===- RecordSwitch.cpp ---------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "RecordSwitch.h"
#include "llvm/ADT/STLExtras.h"
#include <atomic>
#include <cerrno>
#include <semaphore.h>

using namespace warpo;

// All that a handler may touch.
static sem_t wanted;
static std::atomic<bool> ends;

static void wake(int) {
  int before = errno;
  sem_post(&wanted);
  errno = before;
}

void RecordSwitch::serve(const std::function<void(bool)> &onSwitch) {
  while (true) {
    while (sem_wait(&wanted) != 0 && errno == EINTR)
      ;
    if (ends)
      return;
    bool enabled = !warpo_recorder_is_enabled(recorder_);
    if (warpo_recorder_set_enabled(recorder_, enabled) != 0)
      continue;
    {
      std::lock_guard guard(lock_);
      for (size_t i = 0; enabled && i < beforeOn_.size(); ++i)
        beforeOn_[i]();
      for (uint64_t *recording : followed_)
        store(recording);
    }
    onSwitch(enabled);
  }
}

// The program reads it meanwhile.
void RecordSwitch::store(uint64_t *recording) const {
  std::atomic_ref(*recording).store(even_ + (warpo_recorder_is_enabled(recorder_) ? 0 : 1));
}

void RecordSwitch::follow(uint64_t *recording, std::function<void()> beforeOn) {
  std::lock_guard guard(lock_);
  if (!llvm::is_contained(followed_, recording)) {
    followed_.push_back(recording);
    if (beforeOn)
      beforeOn_.push_back(std::move(beforeOn));
  }
  store(recording);
}

void RecordSwitch::recordEnds() {
  std::lock_guard guard(lock_);
  even_ += 2;
  for (uint64_t *recording : followed_)
    store(recording);
}

RecordSwitch::RecordSwitch(warpo_recorder *recorder, const std::function<void(bool)> &onSwitch)
    : recorder_(recorder) {
  ends = false;
  sem_init(&wanted, /*pshared=*/0, 0);
  thread_ = std::thread([this, &onSwitch] { serve(onSwitch); });
  struct sigaction action = {};
  action.sa_handler = wake;
  // The program goes on, also where it waits or its own stack is at its end.
  action.sa_flags = SA_RESTART | SA_ONSTACK;
  sigaction(SIGUSR2, &action, &before_);
}

RecordSwitch::~RecordSwitch() {
  sigaction(SIGUSR2, &before_, nullptr);
  ends = true;
  sem_post(&wanted);
  thread_.join();
  sem_destroy(&wanted);
}
