//===- PhaseInput.h - Phases of a record before it is read ----------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_TOOLING_PHASEINPUT_H
#define WARPO_LIB_TOOLING_PHASEINPUT_H

#include "warpo/Slice/HostPhases.h"
#include "warpo/Tooling/ReadingTool.h"

namespace warpo {

/// For --phases=roots: the phases of a record that has not been read yet. Fails if it has none or
/// is not seekable.
llvm::Expected<HostPhases> readHostPhases(RecordInput &input);

} // namespace warpo

#endif
