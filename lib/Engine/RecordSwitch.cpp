//===- RecordSwitch.cpp ---------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "RecordSwitch.h"
#include "llvm/ADT/STLExtras.h"
#include <atomic>

using namespace warpo;

void RecordSwitch::toggle(const std::function<void(bool)> &onSwitch) {
  bool enabled = !warpo_recorder_is_enabled(recorder_);
  if (warpo_recorder_set_enabled(recorder_, enabled) != 0)
    return;
  {
    std::lock_guard guard(lock_);
    for (size_t i = 0; enabled && i < beforeOn_.size(); ++i)
      beforeOn_[i]();
    for (uint64_t *recording : followed_)
      store(recording);
  }
  onSwitch(enabled);
}

// The program may read it at the same time.
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
    : recorder_(recorder), signal_([this, &onSwitch] { toggle(onSwitch); }) {}
