//===- DamageReport.h - What was wrong with an input, counted -------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_SUPPORT_DAMAGEREPORT_H
#define WARPO_SUPPORT_DAMAGEREPORT_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <string>
#include <vector>

namespace warpo {

/// Collects recoverable damage, so that nothing is skipped silently and a million equal faults make
/// one line.
class DamageReport {
public:
  /// `singular` or `plural` follows the count in the message: `("end without a begin", "ends
  /// without a begin")`. `place` is called only for the first of a kind.
  void add(llvm::StringRef singular, llvm::StringRef plural, uint64_t count,
           llvm::function_ref<std::string()> place);

  bool empty() const { return kinds_.empty(); }
  /// One message for each kind, in order of addition: `trace.bin:0x40: 3 ends without a begin (the
  /// first is here)`.
  std::vector<std::string> messages() const;

private:
  struct Kind {
    std::string singular;
    std::string plural;
    uint64_t count;
    std::string firstPlace;
  };
  std::vector<Kind> kinds_;
};

} // namespace warpo

#endif
