//===- FrameTypes.h - Classifies frames by what executes their code -------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_OUTPUT_OTLP_FRAMETYPES_H
#define WARPO_OUTPUT_OTLP_FRAMETYPES_H

#include "../profile/ContextList.h"
#include "llvm/ADT/StringSet.h"

namespace warpo::otlp {

/// Determines values of OpenTelemetry's attribute `profile.frame.type`.
class FrameTypes {
public:
  explicit FrameTypes(const warpo::Profile &profile);

  /// `wasm`, which the conventions do not define, `v8js` for JavaScript, or `native` for other code
  /// of a recorded program's host. Empty for a frame that is not a function, and for an undecidable
  /// one in a profile not recorded by warpo.
  llvm::StringRef of(const Frame &frame) const;

private:
  /// Names and modules of the functions with an id, which only recorded programs have.
  llvm::StringSet<> recorded_;
};

} // namespace warpo::otlp

#endif
