//===- RecordSwitch.h - Switches recording by a signal --------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_ENGINE_RECORDSWITCH_H
#define WARPO_LIB_ENGINE_RECORDSWITCH_H

#include "warpo/Recorder/warpo_recorder.h"
#include <csignal>
#include <functional>
#include <thread>

namespace warpo {

/// While it lives, SIGUSR2 switches a recorder off and on, from a thread of its own: the program
/// may be anywhere when the signal comes. One in a process.
class RecordSwitch {
public:
  /// `onSwitch` is called by that thread. Both outlive this.
  RecordSwitch(warpo_recorder *recorder, const std::function<void(bool enabled)> &onSwitch);
  RecordSwitch(const RecordSwitch &) = delete;
  RecordSwitch &operator=(const RecordSwitch &) = delete;
  ~RecordSwitch();

private:
  struct sigaction before_ = {};
  std::thread thread_;
};

} // namespace warpo

#endif
