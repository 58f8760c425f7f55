//===- ChromeTrace.h - Identifies our own Chrome traces -------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_RECORD_CHROMETRACE_H
#define WARPO_RECORD_CHROMETRACE_H

#include <cstdint>

namespace warpo {

/// The process of everything that warpo writes into a Chrome trace.
constexpr uint32_t chromeProcess = 1;
/// The first thread for phases of the host, numbered behind those of streams.
constexpr uint32_t firstChromePhasesThread = 1 << 17;

} // namespace warpo

#endif
