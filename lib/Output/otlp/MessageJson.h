//===- MessageJson.h - OpenTelemetry's messages as JSON -------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_OUTPUT_OTLP_MESSAGEJSON_H
#define WARPO_OUTPUT_OTLP_MESSAGEJSON_H

#include "Messages.h"
#include "llvm/Support/raw_ostream.h"

namespace warpo::otlp {

/// Protobuf's JSON mapping, which writes 64-bit numbers as strings, except that OTLP writes the ids
/// of traces and spans in hexadecimal. Fields that are 0 or empty are omitted, but table entries
/// are not.
void writeJson(const ProfilesData &data, llvm::raw_ostream &os);

} // namespace warpo::otlp

#endif
