//===- UnitCalls.h - What a module of a program tells its host ------------===//

#ifndef WARPO_LIB_ENGINE_UNITCALLS_H
#define WARPO_LIB_ENGINE_UNITCALLS_H

#include "HostCallTypes.h"

namespace warpo {

/// What of a module's calls of its host is recorded, by the imports that it has for them.
struct UnitCalls {
  bool instrumented = false;
  bool countsFuel = false;
  bool traces = false;
  /// Calls enterFrame and leaveFrame: the stack of its samples, so trace points keep none.
  bool keepsStack = false;
  bool samples = false;
  bool hasSections = false;

  /// It imports this one.
  void add(wasm::HostCall call) {
    instrumented |= isRecorded(call);
    countsFuel |= call == wasm::HostCall::tracePointFuel;
    traces |= call == wasm::HostCall::tracePoint || countsFuel;
    keepsStack |= call == wasm::HostCall::enterFrame;
    samples |= isSample(call);
    hasSections |= isSection(call);
  }
  /// Whether its sections are all that is known of its calls.
  bool hasSectionsOnly() const { return hasSections && !traces && !samples; }
};

} // namespace warpo

#endif
