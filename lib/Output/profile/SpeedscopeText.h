//===- SpeedscopeText.h - speedscope's own file format --------------------===//
// SPDX-License-Identifier: Apache-2.0
//
//   file    := {"$schema", "shared": {"frames": [{"name", "file"?, "line"?}]}, "profiles":
//   [profile]} profile := {"type": "sampled", "name", "unit", "startValue": 0, "endValue",
//               "samples": [[index of a frame, outermost first]], "weights": [number]}
//
// One profile for each weight, with a stack for each context that has self weight.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_OUTPUT_PROFILE_SPEEDSCOPETEXT_H
#define WARPO_OUTPUT_PROFILE_SPEEDSCOPETEXT_H

#include "ContextList.h"
#include "llvm/Support/raw_ostream.h"

namespace warpo {

/// Cuts stacks so that speedscope can draw them. Returns a note for each loss.
std::vector<std::string> cutForSpeedscope(ContextList &list);

/// Returns a note for everything that could not be written exactly.
std::vector<std::string> writeSpeedscope(ContextList list, llvm::raw_ostream &os);

} // namespace warpo

#endif
