//===- RecordedCode.cpp ---------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Record/RecordedCode.h"

using namespace llvm;
using namespace warpo;

void RecordedCode::declarePlaces(size_t, const RecordedModule &module) {
  modules_[module.id] = {module.places, module.hash};
}

std::optional<RecordedCode::Module> RecordedCode::of(uint64_t moduleId) {
  auto known = modules_.find(moduleId);
  if (known == modules_.end())
    return std::nullopt;
  return Module{unpacked_.unpack(*known->second.places), known->second.hash};
}
