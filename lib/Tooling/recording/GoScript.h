//===- GoScript.h - What runs modules of Go's compiler ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_TOOLING_GOSCRIPT_H
#define WARPO_TOOLING_GOSCRIPT_H

#include <optional>
#include <string>

namespace warpo {

/// The path of wasm_exec.js, which comes with Go: of the Go that GOROOT names, else of that on the
/// PATH. Nothing if there is none.
std::optional<std::string> findGoScript();

} // namespace warpo

#endif
