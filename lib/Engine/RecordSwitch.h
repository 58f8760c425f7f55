//===- RecordSwitch.h - Switches recording by a signal --------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_ENGINE_RECORDSWITCH_H
#define WARPO_LIB_ENGINE_RECORDSWITCH_H

#include "SwitchSignal.h"
#include "warpo/Recorder/warpo_recorder.h"
#include <cstdint>
#include <functional>
#include <mutex>
#include <vector>

namespace warpo {

/// While it lives, SIGUSR2 switches a recorder off and on, from a thread of its own. One in a
/// process.
class RecordSwitch {
public:
  /// `onSwitch` is called by that thread. Both outlive this.
  RecordSwitch(warpo_recorder *recorder, const std::function<void(bool enabled)> &onSwitch);

  /// From now on the word, a counter `recording` of a module that is instrumented with
  /// --switchable, follows what is on: even, or odd while recording is off. It may be followed
  /// already. It must be aligned, and outlive this. `beforeOn`, if it is given, is called by
  /// another thread each time before the word says that recording goes on.
  void follow(uint64_t *recording, std::function<void()> beforeOn);
  /// All open calls have been recorded, so their ends must be too: adds 2 to the words.
  void recordEnds();

private:
  void toggle(const std::function<void(bool enabled)> &onSwitch);
  void store(uint64_t *recording) const;

  warpo_recorder *recorder_;
  std::mutex lock_;
  // Guarded by `lock_`.
  std::vector<uint64_t *> followed_;
  std::vector<std::function<void()>> beforeOn_;
  /// The words while recording is on.
  uint64_t even_ = 0;
  /// Its thread uses the others, so it begins last and ends first.
  SwitchSignal signal_;
};

} // namespace warpo

#endif
