//===- StackWindows.h - The ids of several modules on one stack -----------===//
// SPDX-License-Identifier: Apache-2.0
//
// A stream is a stack, which may have calls of several modules. The ids of its first module are
// unchanged in the stream; those of further modules are shifted, so that each id stands for one
// function: see docs/record-format.md.
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

/// The `count` ids of a module from `id` on are those from `first` on in the stream's entries.
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

/// The windows of a stream's further modules. They do not overlap each other or the ids of
/// sections.
class StackWindows {
public:
  /// The most windows of a stream.
  static constexpr size_t maxWindows = 4096;
  enum class Added : uint8_t { isNew, isKnown, isRefused };
  Added add(const ModuleWindow &window);

  bool empty() const { return declared_.empty(); }
  /// In the order of addition.
  llvm::ArrayRef<ModuleWindow> declared() const { return declared_; }

  /// The index in declared() of the window with this id (positive); nothing if the id is of the
  /// stream's first module.
  std::optional<size_t> find(int32_t id) const;
  /// The stream's id for a function of a further module; 0 if it has none.
  int32_t idOf(uint64_t moduleId, int32_t id) const;

private:
  std::vector<ModuleWindow> declared_;
  /// Indices into declared_, sorted by `first`.
  std::vector<uint32_t> order_;
};

} // namespace warpo

#endif
