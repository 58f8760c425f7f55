//===- NodeAnswer.h - What js/host/run.mjs reports of a run ---------------===//

#ifndef WARPO_LIB_ENGINE_NODEANSWER_H
#define WARPO_LIB_ENGINE_NODEANSWER_H

#include "warpo/Engine/Engine.h"

namespace warpo {

/// Reads the report, a JSON object as described at report() in run.mjs. A run that failed is an
/// error with the host's message.
llvm::Expected<RunResult> parseNodeAnswer(llvm::StringRef text);

} // namespace warpo

#endif
