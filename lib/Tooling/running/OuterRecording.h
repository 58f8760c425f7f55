//===- OuterRecording.h - warpo-run within warpo record -------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// `warpo record` records the Node processes of a command by a script that Node loads first. The
// Node that warpo-run starts is confined to what its program needs, so the script can do nothing
// there.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_LIB_TOOLING_OUTERRECORDING_H
#define WARPO_LIB_TOOLING_OUTERRECORDING_H

#include "llvm/Support/Error.h"
#include <string>

namespace warpo {

inline constexpr const char *nodeOptions = "NODE_OPTIONS";

/// The option in NODE_OPTIONS by which Node loads the script.
llvm::Expected<std::string> recordingOption();

/// Whether `warpo record` records a command of which this process is a part.
bool isWithinRecording();

/// If so: the Node that this process starts does not load the script.
void keepOutOfRecording();

} // namespace warpo

#endif
