//===- SwitchSignal.h - Hears the signal that switches recording ----------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_ENGINE_SWITCHSIGNAL_H
#define WARPO_LIB_ENGINE_SWITCHSIGNAL_H

#include <csignal>
#include <functional>
#include <thread>

namespace warpo {

/// While it lives, a thread of its own calls a function for each SIGUSR2: the program may be
/// anywhere when the signal comes. One in a process.
class SwitchSignal {
public:
  explicit SwitchSignal(std::function<void()> onSignal);
  SwitchSignal(const SwitchSignal &) = delete;
  SwitchSignal &operator=(const SwitchSignal &) = delete;
  /// Waits for a call of the function that is under way.
  ~SwitchSignal();

private:
  struct sigaction before_ = {};
  std::thread thread_;
};

} // namespace warpo

#endif
