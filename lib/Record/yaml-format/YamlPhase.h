//===- YamlPhase.h - A phase in YAML --------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_RECORD_YAML_YAMLPHASE_H
#define WARPO_LIB_RECORD_YAML_YAMLPHASE_H

#include "LineCursor.h"
#include "warpo/Record/Declarations.h"
#include "llvm/Support/Error.h"

namespace warpo {

/// Reads `[<begin>, <end>, <name>]`, `[..., <ticks>, <unit>]` or `[..., <ticks>, <unit>, <run>]`.
/// Times are as written. Errors do not include the position.
llvm::Expected<RecordedPhase> parsePhase(LineCursor &line);

} // namespace warpo

#endif
