//===- FunctionIndices.cpp ------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "FunctionIndices.h"
#include "warpo/Support/CallKind.h"
#include "warpo/Support/NumberedName.h"
#include "warpo/Support/SectionId.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"

using namespace llvm;
using namespace warpo;

bool warpo::isIndexed(const RecordedModule::Function &function) {
  return function.id >= firstFunctionId && !isSection(function.id) && marksOf(function.id) == 0;
}

FunctionIndices::FunctionIndices(std::vector<std::pair<uint32_t, uint32_t>> known)
    : known_(std::move(known)) {
  llvm::sort(known_);
}

FunctionIndices FunctionIndices::byNumber(const RecordedModule &module,
                                          ArrayRef<RecordedModule::Function> functions) {
  std::vector<std::pair<uint32_t, uint32_t>> known;
  for (const RecordedModule::Function &function : functions)
    if (auto name = NumberedName::parse(module.nameOf(function));
        name && function.id >= firstFunctionId && name->index >= idOffset(function.id))
      known.push_back({idOffset(function.id), name->index});
  return FunctionIndices(std::move(known));
}

FunctionIndices FunctionIndices::byName(const RecordedModule &module, ArrayRef<std::string> names) {
  StringMap<std::optional<uint32_t>> indices;
  for (auto [index, name] : enumerate(names)) {
    auto [known, isNew] = indices.try_emplace(name, uint32_t(index));
    if (!isNew)
      known->second = std::nullopt;
  }
  std::vector<std::pair<uint32_t, uint32_t>> known;
  for (const RecordedModule::Function &function : module.functions) {
    if (!isIndexed(function))
      continue;
    std::optional<uint32_t> index = indices.lookup(module.nameOf(function));
    if (index && *index >= idOffset(function.id))
      known.push_back({idOffset(function.id), *index});
  }
  return FunctionIndices(std::move(known));
}

std::optional<uint32_t> FunctionIndices::of(int32_t id) const {
  uint32_t offset = idOffset(id);
  auto next = upper_bound(known_, std::pair(offset, UINT32_MAX));
  uint32_t leftOut = 0;
  if (next != known_.begin()) {
    auto [before, index] = *std::prev(next);
    leftOut = index - before;
    if (before == offset)
      return index;
  }
  bool isCertain = next == known_.end() ? leftOut == 0 : next->second - next->first == leftOut;
  return isCertain ? std::optional(offset + leftOut) : std::nullopt;
}
