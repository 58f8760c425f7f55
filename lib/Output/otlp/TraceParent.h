//===- TraceParent.h - The span of a trace that a section is about --------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_OUTPUT_OTLP_TRACEPARENT_H
#define WARPO_OUTPUT_OTLP_TRACEPARENT_H

#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace warpo::otlp {

/// What the header `traceparent` of W3C's trace context says, in the name of a section:
///
///     name := (text " ")? "traceparent=" parent | parent
///     parent := version "-" trace "-" span "-" flags     2, 32, 16 and 2 digits, hexadecimal,
///     lower case
struct TraceParent {
  /// 16 and 8 bytes, neither all zero.
  std::string traceId;
  std::string spanId;
  /// What else the section is called; empty: nothing.
  llvm::StringRef section;

  static std::optional<TraceParent> of(llvm::StringRef name);
};

} // namespace warpo::otlp

#endif
