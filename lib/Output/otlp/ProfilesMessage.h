//===- ProfilesMessage.h - A profile in OpenTelemetry's messages ----------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_OUTPUT_OTLP_PROFILESMESSAGE_H
#define WARPO_OUTPUT_OTLP_PROFILESMESSAGE_H

#include "../profile/ContextList.h"
#include "Messages.h"

namespace warpo::otlp {

/// One Profile for each weight of `list`, which is of `profile`, the shown one first. All stacks
/// together are in memory. An error if two of the labels are one attribute.
llvm::Expected<ProfilesData> profilesMessage(const ContextList &list, const warpo::Profile &profile,
                                             const OutputOrigin &origin);

} // namespace warpo::otlp

#endif
