//===- NodeSwitch.h - SIGUSR2 for the recorder in Node --------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_ENGINE_NODESWITCH_H
#define WARPO_LIB_ENGINE_NODESWITCH_H

#include "SwitchSignal.h"
#include "warpo/Engine/Engine.h"
#include "warpo/Support/OwnedDescriptor.h"
#include <memory>
#include <optional>

namespace warpo {

/// While this lives, SIGUSR2 makes the host script switch recording. At most one in a process.
class NodeSwitch {
public:
  /// `onSwitch` (see RecordTarget) must outlive this.
  static llvm::Expected<std::unique_ptr<NodeSwitch>>
  create(const std::function<void(bool enabled)> &onSwitch);
  ~NodeSwitch();

  /// The script's end of the socket.
  int scriptsEnd() const { return scriptsEnd_.get(); }

private:
  NodeSwitch(OwnedDescriptor ownEnd, OwnedDescriptor scriptsEnd,
             const std::function<void(bool enabled)> &onSwitch);
  void ask();

  OwnedDescriptor ownEnd_, scriptsEnd_;
  const std::function<void(bool enabled)> &onSwitch_;
  std::optional<SwitchSignal> signal_;
};

/// Whether a module of the program was instrumented with --switchable.
bool isSwitchable(const RunRequest &request);

} // namespace warpo

#endif
