//===- FuelLimit.cpp - Answers checks of the fuel limit -------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "GuestHost.h"

using namespace llvm;
using namespace warpo;

/// Stands for no limit: more than any program counts.
static constexpr uint64_t noLimit = INT64_MAX;

/// Returns the limit. An instance asks at its first check, and again when the limit is reached.
static std::optional<GuestEnd> outOfFuel(GuestHost &host, HostCall &call) {
  uint64_t fuel = call.arguments[0];
  std::optional<uint64_t> limit = host.fuelLimit();
  if (limit && fuel >= *limit)
    return GuestEnd{std::nullopt, "out of fuel: " + std::to_string(fuel) + " used, the limit is " +
                                      std::to_string(*limit)};
  call.result = limit.value_or(noLimit);
  return std::nullopt;
}

ArrayRef<HostFunction> warpo::instrumentationFunctions() {
  static constexpr HostFunction functions[] = {{"outOfFuel", "l:l", outOfFuel}};
  return functions;
}
