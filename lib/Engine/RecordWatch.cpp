//===- RecordWatch.cpp ----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "RecordWatch.h"
#include <chrono>
#include <csignal>

using namespace warpo;

// Short for a user who waits, and rare enough to cost nothing.
static constexpr std::chrono::milliseconds interval(500);

RecordWatch::RecordWatch(const warpo_recorder *recorder,
                         const std::function<void(const std::string &)> &onFailure)
    : recorder_(recorder), onFailure_(onFailure) {
  // Signals are for the program's thread.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  thread_ = std::thread([this] { watch(); });
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

RecordWatch::~RecordWatch() {
  {
    std::lock_guard guard(lock_);
    ends_ = true;
  }
  changed_.notify_one();
  thread_.join();
}

void RecordWatch::watch() {
  std::unique_lock guard(lock_);
  while (!changed_.wait_for(guard, interval, [this] { return ends_; }))
    if (warpo_recorder_error(recorder_))
      return onFailure_(warpo_recorder_error_text(recorder_));
}
