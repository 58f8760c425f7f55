//===- FrameTypes.h - What runs the code of a frame -----------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_OUTPUT_OTLP_FRAMETYPES_H
#define WARPO_OUTPUT_OTLP_FRAMETYPES_H

#include "../profile/ContextList.h"
#include "llvm/ADT/StringSet.h"

namespace warpo::otlp {

/// Values of OpenTelemetry's attribute `profile.frame.type`.
class FrameTypes {
public:
  explicit FrameTypes(const warpo::Profile &profile);

  /// `wasm`, for which the conventions have no name of their own, `v8js` for JavaScript, `native`
  /// for what else the host of a recorded program has. Empty for what is no function, and in a
  /// profile of another program where nothing tells.
  llvm::StringRef of(const Frame &frame) const;

private:
  /// Names and modules of functions with an id: those of recorded programs.
  llvm::StringSet<> recorded_;
};

} // namespace warpo::otlp

#endif
