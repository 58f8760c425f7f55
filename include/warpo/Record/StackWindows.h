//===- StackWindows.h - The ids of several modules on one stack -----------===//
// SPDX-License-Identifier: Apache-2.0
//
// A stream is a stack, which calls of several modules may be on. The ids of its first module are
// the module's own there; those of a further module are moved, so that each id of the stream is one
// function's: docs/record-format.md says how.
//
//===----------------------------------------------------------------------===//

#ifndef WARPO_RECORD_STACKWINDOWS_H
#define WARPO_RECORD_STACKWINDOWS_H

#include "llvm/ADT/ArrayRef.h"
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace warpo {

/// The ids from `id` on of a module, so many, are those from `first` on in the stream's entries.
struct ModuleWindow {
  uint64_t moduleId = 0;
  int32_t id = 0;
  int32_t first = 0;
  uint32_t count = 0;

  bool operator==(const ModuleWindow &other) const {
    return moduleId == other.moduleId && id == other.id && first == other.first &&
           count == other.count;
  }
};

/// The windows of a stream's further modules. None overlaps another, or reaches the ids of
/// sections.
class StackWindows {
public:
  /// As many as a stream may have.
  static constexpr size_t maxWindows = 4096;
  enum class Added : uint8_t { isNew, isKnown, isRefused };
  Added add(const ModuleWindow &window);

  bool empty() const { return declared_.empty(); }
  /// In the order in which they were added.
  llvm::ArrayRef<ModuleWindow> declared() const { return declared_; }

  /// The place in declared() of the window that has this id (positive); nothing if it is of the
  /// stream's first module.
  std::optional<size_t> find(int32_t id) const;
  /// The id that the stream has for a function of a further module; 0 if it has none.
  int32_t idOf(uint64_t moduleId, int32_t id) const;

private:
  std::vector<ModuleWindow> declared_;
  /// Places in declared_, by `first`.
  std::vector<uint32_t> order_;
};

} // namespace warpo

#endif
