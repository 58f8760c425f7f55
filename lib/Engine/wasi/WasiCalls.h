//===- WasiCalls.h - Entries of the tables of WASI's functions ------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_LIB_ENGINE_WASI_WASICALLS_H
#define WARPO_LIB_ENGINE_WASI_WASICALLS_H

#include "../GuestHost.h"

/// An entry for a function that returns an Errno: an expression that uses `host` and `call`.
#define WASI(name, type, expression)                                                               \
  {name, type, [](GuestHost &host, HostCall &call) -> std::optional<GuestEnd> {                    \
     (void)host;                                                                                   \
     call.result = expression;                                                                     \
     return std::nullopt;                                                                          \
   }}

#endif
