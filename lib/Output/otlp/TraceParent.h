//===- TraceParent.h - The span that a section belongs to -----------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_OUTPUT_OTLP_TRACEPARENT_H
#define WARPO_OUTPUT_OTLP_TRACEPARENT_H

#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace warpo::otlp {

/// The contents of a `traceparent` header (W3C Trace Context) in the name of a section:
///
///     name := (text " ")? "traceparent=" parent | parent
///     parent := version "-" trace "-" span "-" flags     2, 32, 16 and 2 digits, hexadecimal,
///     lower case
struct TraceParent {
  /// 16 and 8 bytes; neither is all zero.
  std::string traceId;
  std::string spanId;
  /// The rest of the section's name; may be empty.
  llvm::StringRef section;

  static std::optional<TraceParent> of(llvm::StringRef name);
};

} // namespace warpo::otlp

#endif
