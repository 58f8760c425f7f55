//===- ReadingWindow.h - The part of a record to read ---------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_TOOLING_READINGWINDOW_H
#define WARPO_LIB_TOOLING_READINGWINDOW_H

#include "warpo/Tooling/ReadingTool.h"

namespace warpo {

/// The limits given by --from, --to and --slices. Times with a unit need a `scale`.
llvm::Expected<WindowLimits> windowOf(const ReadingOptions &options,
                                      std::optional<TimeScale> scale);

} // namespace warpo

#endif
