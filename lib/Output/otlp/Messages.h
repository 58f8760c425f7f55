//===- Messages.h - OpenTelemetry's messages ------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// The code that protobuf generates from profiles.proto, in warpo::otlp. A whole message fits into
// memory, so nothing is packed by hand.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_OUTPUT_OTLP_MESSAGES_H
#define WARPO_OUTPUT_OTLP_MESSAGES_H

#include "otlp/profiles.pb.h"

#endif
