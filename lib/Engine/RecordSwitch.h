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

/// While this lives, SIGUSR2 switches a recorder off and on, on a separate thread. At most one in a
/// process.
class RecordSwitch {
public:
  /// `onSwitch` is called on that thread. Both parameters must outlive this.
  RecordSwitch(warpo_recorder *recorder, const std::function<void(bool enabled)> &onSwitch);

  /// Keeps a word, the counter `recording` of a module instrumented with --switchable, even while
  /// recording is on and odd while it is off. May be called again for the same word, which must be
  /// aligned and must outlive this. `beforeOn`, if given, is called on another thread each time
  /// before the word becomes even.
  void follow(uint64_t *recording, std::function<void()> beforeOn);
  /// To be called when all open calls have been recorded, so that their ends are recorded too: adds
  /// 2 to the words.
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
  /// Its thread uses the other members, so it begins last and ends first.
  SwitchSignal signal_;
};

} // namespace warpo

#endif
