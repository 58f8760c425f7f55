//===- SpeedscopeText.h - speedscope's own file format --------------------===//
// SPDX-License-Identifier: Apache-2.0
//
//   file    := {"$schema", "shared": {"frames": [{"name", "file"?, "line"?}]}, "profiles":
//   [profile]} profile := {"type": "sampled", "name", "unit", "startValue": 0, "endValue",
//               "samples": [[index of a frame, outermost first]], "weights": [number]}
//
// One profile for each weight. A stack for each context that has weight of its own.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_OUTPUT_PROFILE_SPEEDSCOPETEXT_H
#define WARPO_OUTPUT_PROFILE_SPEEDSCOPETEXT_H

#include "ContextList.h"
#include "llvm/Support/raw_ostream.h"

namespace warpo {

/// Cuts stacks so that speedscope can draw them. Returns what had to be given up, one text each.
std::vector<std::string> cutForSpeedscope(ContextList &list);

/// Returns what had to be given up, one text each.
std::vector<std::string> writeSpeedscope(ContextList list, llvm::raw_ostream &os);

} // namespace warpo

#endif
