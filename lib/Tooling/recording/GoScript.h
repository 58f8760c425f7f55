//===- GoScript.h - Finds Go's script that runs modules -------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_TOOLING_GOSCRIPT_H
#define WARPO_TOOLING_GOSCRIPT_H

#include <optional>
#include <string>

namespace warpo {

/// The path of Go's wasm_exec.js, in GOROOT or otherwise in the installation on the PATH. Nothing
/// if there is none.
std::optional<std::string> findGoScript();

} // namespace warpo

#endif
