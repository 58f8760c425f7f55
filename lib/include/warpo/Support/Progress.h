//===- Progress.h - A bar on stderr for work that takes long --------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_SUPPORT_PROGRESS_H
#define WARPO_SUPPORT_PROGRESS_H

#include "llvm/ADT/StringRef.h"
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

namespace warpo {

/// Draws on stderr how much of an input has been read, if stderr is a terminal, and nothing
/// otherwise. Cheap to update after every batch: it looks at the clock, and draws ten times a
/// second at most, after the first half second.
class Progress {
public:
  /// `total` in bytes; without it the amount is shown and no share.
  Progress(llvm::StringRef label, std::optional<uint64_t> total, bool enabled);
  Progress(const Progress &) = delete;
  Progress &operator=(const Progress &) = delete;
  /// Wipes the bar.
  ~Progress();

  void update(uint64_t done);

private:
  void draw(uint64_t done);

  std::string label_;
  std::optional<uint64_t> total_;
  bool enabled_;
  bool drawn_ = false;
  std::chrono::steady_clock::time_point next_;
};

} // namespace warpo

#endif
