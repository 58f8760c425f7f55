//===- FunctionIds.cpp - The functions of ids -----------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Record/FunctionTable.h"
#include "warpo/Record/RecordFormat.h"
#include "llvm/ADT/Twine.h"
#include <algorithm>

using namespace llvm;
using namespace warpo;

// The array may have so many slots for each id that it holds. A slot takes 4 bytes, so that the
// empty ones take no more than a function and its name do.
static constexpr size_t slotsPerId = 16;
// And so many more. The one array that all modules share can afford a stray id.
static constexpr size_t spareSlots = 256;
static constexpr size_t spareSharedSlots = 1u << 16;
// And so many for all streams of several modules together.
static constexpr size_t spareStackSlots = 1u << 22;

size_t FunctionIds::denseLimit() const {
  if (stack_) {
    size_t most = table_.functions_.size() * slotsPerId + spareStackSlots;
    return dense_.size() + (most - std::min(most, table_.stackSlots_));
  }
  return count_ * slotsPerId + (table_.sharesFunctions() ? spareSharedSlots : spareSlots);
}

bool FunctionIds::add(int32_t id, FunctionIndex function) {
  bool isNew = sparse_.empty() || sparse_.erase(id) == 0;
  uint32_t slot = uint32_t(id) - firstId;
  if (slot < denseLimit()) {
    if (slot >= dense_.size()) {
      table_.stackSlots_ += stack_ ? slot + 1 - dense_.size() : 0;
      dense_.resize(size_t(slot) + 1, unresolved);
    }
    isNew &= dense_[slot] == unresolved;
    dense_[slot] = function;
  } else {
    sparse_[id] = function;
  }
  count_ += isNew;
  // The array of a stack has had the room that it may have.
  if (sparse_.size() >= nextSettling_ && !stack_)
    settle();
  return isNew;
}

void FunctionIds::settle() {
  size_t limit = denseLimit();
  for (auto entry = sparse_.begin(); entry != sparse_.end();) {
    uint32_t slot = uint32_t(entry->first) - firstId;
    if (slot >= limit) {
      ++entry;
      continue;
    }
    if (slot >= dense_.size())
      dense_.resize(size_t(slot) + 1, unresolved);
    dense_[slot] = entry->second;
    entry = sparse_.erase(entry);
  }
  // Doubled whatever came of it: all of these walks together take no longer than adding.
  nextSettling_ = 2 * std::max(nextSettling_, sparse_.size());
}

// An id with marks is that of the function without them.
FunctionIndex FunctionIds::findMarked(int32_t id) {
  int32_t unmarked = withoutMarks(id);
  FunctionIndex function = table_.findMarked(find(unmarked), marksOf(id));
  // As the other array has this function, the memory is bounded as its is.
  if (idOffset(unmarked) < dense_.size()) {
    uint32_t place = markedPlace(idOffset(id));
    if (place >= marked_.size())
      marked_.resize(dense_.size() * 3, unresolved);
    marked_[place] = function;
  }
  return function;
}

std::optional<FunctionIndex> FunctionIds::known(int32_t id) const {
  uint32_t slot = uint32_t(id) - firstId;
  if (slot < dense_.size() && dense_[slot] != unresolved)
    return dense_[slot];
  auto found = sparse_.find(id);
  return found == sparse_.end() ? std::nullopt : std::optional(found->second);
}

FunctionIndex FunctionIds::findSlowly(int32_t id) {
  if (uint32_t place = markedPlace(idOffset(id));
      place < marked_.size() && marked_[place] != unresolved)
    return marked_[place];
  if (auto known = sparse_.find(id); known != sparse_.end())
    return known->second;
  if (stack_)
    return findOnStack(id);
  if (isReserved(id)) {
    FunctionIndex function = table_.addReserved(module_, id);
    add(id, function);
    return function;
  }
  if (marksOf(id) != 0)
    return findMarked(id);
  if (std::optional<FunctionIndex> shared = table_.adoptShared(module_, id)) {
    add(id, *shared);
    return *shared;
  }
  if (table_.unknownIds_ == FunctionTable::maxUnknownIds) {
    table_.hasIndistinctIds_ = true;
    if (remainingUnknown_ == unresolved)
      remainingUnknown_ = table_.addFunction("unknown functions", module_, 0,
                                             /*known=*/!table_.hasMapping_);
    return remainingUnknown_;
  }
  ++table_.unknownIds_;
  StringRef prefix = table_.hasMapping_ ? "unknown function " : "function ";
  FunctionIndex function = table_.addFunction(table_.saver_.save(prefix + Twine(id)), module_, id,
                                              /*known=*/!table_.hasMapping_);
  add(id, function);
  return function;
}

FunctionIndex FunctionIds::findOnStack(int32_t id) {
  std::optional<size_t> place = stack_->windows.find(id);
  FunctionIndex function;
  if (place) {
    const ModuleWindow &window = stack_->windows.declared()[*place];
    function = stack_->modules[*place]->find(window.id + (id - window.first));
  } else {
    function = stack_->first.find(id);
  }
  add(id, function);
  return function;
}
