//===- FunctionTable.cpp --------------------------------------------------===//

#include "warpo/Record/FunctionTable.h"
#include "warpo/Record/RecordFormat.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"
#include <algorithm>

using namespace llvm;
using namespace warpo;

// A record of random ids must not fill the memory with names that say nothing: beyond this many a
// module, they share one.
static constexpr uint32_t maxUnknownIds = 1u << 16;

bool FunctionIds::add(int32_t id, FunctionIndex function) {
  uint32_t slot = uint32_t(id) - firstId;
  if (slot >= maxDense)
    return sparse_.insert_or_assign(id, function).second;
  if (slot >= dense_.size())
    dense_.resize(std::max<size_t>(slot + 1, std::min<size_t>(dense_.size() * 2, maxDense)),
                  unresolved);
  bool added = dense_[slot] == unresolved;
  dense_[slot] = function;
  return added;
}

FunctionIndex FunctionIds::findSlowly(int32_t id) {
  if (auto known = sparse_.find(id); known != sparse_.end())
    return known->second;
  if (table_.unknownIds_ == maxUnknownIds) {
    if (remainingUnknown_ == unresolved)
      remainingUnknown_ = table_.addFunction("unknown functions", module_, 0,
                                             /*known=*/!table_.hasMapping_);
    return remainingUnknown_;
  }
  ++table_.unknownIds_;
  StringRef prefix = table_.hasMapping_ ? "unknown function " : "function ";
  FunctionIndex function = table_.addFunction(table_.saver_.save(prefix + Twine(id)), module_, id,
                                              /*known=*/!table_.hasMapping_);
  // Not add(): one stray id far away must not stretch the array.
  uint32_t slot = uint32_t(id) - firstId;
  if (slot < std::max<size_t>(dense_.size(), maxUnknownIds))
    add(id, function);
  else
    sparse_.try_emplace(id, function);
  return function;
}

FunctionTable::FunctionTable() = default;

FunctionIndex FunctionTable::addFunction(StringRef name, uint32_t module, int32_t id, bool known) {
  functions_.push_back({name, module, id, known});
  return FunctionIndex(functions_.size() - 1);
}

FunctionIds &FunctionTable::addModule(uint64_t moduleId, StringRef name) {
  auto module = uint32_t(modules_.size());
  modules_.push_back({moduleId, name.str()});
  ids_.push_back(std::unique_ptr<FunctionIds>(new FunctionIds(*this, module)));
  moduleOfId_[moduleId] = module;
  return *ids_.back();
}

void FunctionTable::adopt(const RecordHeader &header) {
  if (hasMappingFile_ || adoptedFunctions_ == header.namedFunctions)
    return;
  hasMapping_ = true;
  sharedIds_ = false;
  adopted_.resize(header.modules.size());
  for (auto [adopted, module] : zip_equal(adopted_, header.modules)) {
    if (adopted == module.functions.size())
      continue;
    auto known = moduleOfId_.find(module.id);
    FunctionIds &ids =
        known != moduleOfId_.end() ? *ids_[known->second] : addModule(module.id, module.name);
    for (const RecordedModule::Function &function : drop_begin(module.functions, adopted))
      ids.add(function.id, addFunction(saver_.save(module.nameOf(function)), ids.module_,
                                       function.id, /*known=*/true));
    adopted = module.functions.size();
  }
  adoptedFunctions_ = header.namedFunctions;
}

FunctionIds &FunctionTable::idsOf(uint64_t moduleId) {
  if (sharedIds_)
    return ids_.empty() ? addModule(0, "") : *ids_.front();
  if (auto known = moduleOfId_.find(moduleId); known != moduleOfId_.end())
    return *ids_[known->second];
  return addModule(moduleId, "");
}

std::vector<const Function *> FunctionTable::functionsOf(uint64_t moduleId) const {
  std::vector<const Function *> result;
  auto known = moduleOfId_.find(moduleId);
  if (!hasMapping_ || (!sharedIds_ && known == moduleOfId_.end()))
    return result;
  for (const Function &function : functions_)
    if (function.known && function.id > 0 && (sharedIds_ || function.module == known->second))
      result.push_back(&function);
  return result;
}

StringRef FunctionTable::mappedModuleName(uint64_t moduleId) const {
  auto known = sharedIds_ ? moduleOfId_.end() : moduleOfId_.find(moduleId);
  return known != moduleOfId_.end() ? StringRef(modules_[known->second].name) : StringRef();
}

std::string FunctionTable::moduleName(uint64_t moduleId) const {
  StringRef name = mappedModuleName(moduleId);
  return name.empty() ? ("Module " + Twine(moduleId)).str() : name.str();
}

FunctionIndex FunctionTable::pseudoFunction(StringRef name) {
  // There are a handful of them, made last, and asked for once a run each.
  for (size_t i = functions_.size(); i-- > 0;)
    if (functions_[i].id == 0 && functions_[i].name == name)
      return FunctionIndex(i);
  return addFunction(saver_.save(name), 0, 0, /*known=*/true);
}
