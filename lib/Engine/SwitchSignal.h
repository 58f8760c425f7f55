//===- SwitchSignal.h - The signal that switches recording ----------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_ENGINE_SWITCHSIGNAL_H
#define WARPO_LIB_ENGINE_SWITCHSIGNAL_H

#include <csignal>
#include <functional>
#include <thread>

namespace warpo {

/// While this lives, a separate thread calls a function for each SIGUSR2, as the program may be
/// anywhere when the signal arrives. At most one in a process.
class SwitchSignal {
public:
  explicit SwitchSignal(std::function<void()> onSignal);
  SwitchSignal(const SwitchSignal &) = delete;
  SwitchSignal &operator=(const SwitchSignal &) = delete;
  /// Waits for a running call of the function.
  ~SwitchSignal();

private:
  struct sigaction before_ = {};
  std::thread thread_;
};

} // namespace warpo

#endif
