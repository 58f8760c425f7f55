//===- NodeAccess.h - Files that a run in Node needs ----------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_ENGINE_NODEACCESS_H
#define WARPO_LIB_ENGINE_NODEACCESS_H

#include "warpo/Engine/Engine.h"
#include "warpo/Support/Landlock.h"

namespace warpo {

/// The executable behind a `node` on the PATH, which may be a script or a launcher that chooses a
/// version.
llvm::Expected<std::string> findNodeItself(llvm::StringRef node);

/// The files that the process of `node` may open when it runs `script` for this request.
FileAccess accessOfNode(llvm::StringRef node, llvm::StringRef script, const RunRequest &request);

} // namespace warpo

#endif
