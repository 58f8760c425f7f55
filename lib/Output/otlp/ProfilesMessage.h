//===- ProfilesMessage.h - A profile in OpenTelemetry's messages ----------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_OUTPUT_OTLP_PROFILESMESSAGE_H
#define WARPO_OUTPUT_OTLP_PROFILESMESSAGE_H

#include "../profile/ContextList.h"
#include "Messages.h"

namespace warpo::otlp {

/// Makes one Profile for each weight of `list`, the shown one first; `list` was made from
/// `profile`. Holds all stacks in memory. Fails if two labels map to the same attribute.
llvm::Expected<ProfilesData> profilesMessage(const ContextList &list, const warpo::Profile &profile,
                                             const OutputOrigin &origin);

} // namespace warpo::otlp

#endif
