//===- NodeAnswer.h - Reads the report of js/host/run.mjs -----------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_ENGINE_NODEANSWER_H
#define WARPO_LIB_ENGINE_NODEANSWER_H

#include "warpo/Engine/Engine.h"

namespace warpo {

/// Reads the report, a JSON object as described at report() in run.mjs, and the bytes of the
/// artifacts that it lists. If the run failed, the error has the host's message.
llvm::Expected<RunResult> parseNodeAnswer(llvm::StringRef text, llvm::StringRef artifacts = "");

} // namespace warpo

#endif
