//===- Messages.h - OpenTelemetry's messages ------------------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// What protobuf makes of profiles.proto, in warpo::otlp. The whole of it fits into memory, so that
// nothing is packed by hand.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_OUTPUT_OTLP_MESSAGES_H
#define WARPO_OUTPUT_OTLP_MESSAGES_H

#include "otlp/profiles.pb.h"

#endif
