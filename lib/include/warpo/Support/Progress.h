//===- Progress.h - A progress bar on stderr ------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#ifndef WARPO_SUPPORT_PROGRESS_H
#define WARPO_SUPPORT_PROGRESS_H

#include "llvm/ADT/StringRef.h"
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

namespace warpo {

/// Shows on stderr how much of an input has been read, if stderr is a terminal. Cheap enough to be
/// updated after every batch: it reads the clock, and draws at most ten times a second, after the
/// first half second.
class Progress {
public:
  /// `total` is in bytes; without it, the amount is shown instead of a share.
  Progress(llvm::StringRef label, std::optional<uint64_t> total, bool enabled);
  Progress(const Progress &) = delete;
  Progress &operator=(const Progress &) = delete;
  /// Erases the bar.
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
