//===- StackWindows.cpp ---------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Record/StackWindows.h"
#include "warpo/Recorder/record_encoding.h"
#include "warpo/Support/SectionId.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace warpo;

static_assert(StackWindows::maxWindows == size_t(warpo_max_windows));

static int64_t endOf(const ModuleWindow &window) { return int64_t(window.first) + window.count; }

StackWindows::Added StackWindows::add(const ModuleWindow &window) {
  bool isSound = window.id > 0 && window.first > 0 && window.count > 0 &&
                 int64_t(window.id) + window.count - 1 <= INT32_MAX &&
                 endOf(window) <= firstSectionId;
  if (!isSound)
    return Added::isRefused;
  auto above = partition_point(
      order_, [&](uint32_t place) { return declared_[place].first <= window.first; });
  if (above != order_.begin()) {
    const ModuleWindow &below = declared_[*std::prev(above)];
    if (below == window)
      return Added::isKnown;
    if (endOf(below) > window.first)
      return Added::isRefused;
  }
  bool overlaps = above != order_.end() && endOf(window) > declared_[*above].first;
  if (overlaps || declared_.size() == maxWindows)
    return Added::isRefused;
  order_.insert(above, uint32_t(declared_.size()));
  declared_.push_back(window);
  return Added::isNew;
}

std::optional<size_t> StackWindows::find(int32_t id) const {
  const auto *above = partition_point(ArrayRef(order_),
                                      [&](uint32_t place) { return declared_[place].first <= id; });
  if (above == order_.data() || endOf(declared_[*std::prev(above)]) <= id)
    return std::nullopt;
  return *std::prev(above);
}

int32_t StackWindows::idOf(uint64_t moduleId, int32_t id) const {
  for (const ModuleWindow &window : declared_)
    if (window.moduleId == moduleId && id >= window.id &&
        uint32_t(id) - uint32_t(window.id) < window.count)
      return window.first + (id - window.id);
  return 0;
}
