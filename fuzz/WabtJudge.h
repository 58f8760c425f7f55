//===- WabtJudge.h - Whether wabt takes a module for valid ----------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_FUZZ_WABTJUDGE_H
#define WARPO_FUZZ_WABTJUDGE_H

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

/// Empty if the module is valid, with all proposals that wabt knows but garbage collection, which
/// it knows in parts; else what it says. Nothing if an assertion of wabt's own fails.
std::optional<std::string> wabtComplaint(const uint8_t *bytes, size_t size);

#endif
