//===- MessageJson.h - OpenTelemetry's messages as JSON -------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_OUTPUT_OTLP_MESSAGEJSON_H
#define WARPO_OUTPUT_OTLP_MESSAGEJSON_H

#include "Messages.h"
#include "llvm/Support/raw_ostream.h"

namespace warpo::otlp {

/// Protobuf's own form of JSON, in which numbers of 64 bits are strings, but for the ids of traces
/// and spans, which OTLP has in hexadecimal digits. What is 0 or empty is left out, except entries
/// of tables.
void writeJson(const ProfilesData &data, llvm::raw_ostream &os);

} // namespace warpo::otlp

#endif
