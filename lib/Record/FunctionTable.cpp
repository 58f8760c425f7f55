//===- FunctionTable.cpp --------------------------------------------------===//

#include "warpo/Record/FunctionTable.h"
#include "warpo/Record/RecordFormat.h"
#include "warpo/Support/DisplayName.h"
#include "warpo/Support/SectionId.h"
#include "llvm/ADT/STLExtras.h"
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

size_t FunctionIds::denseLimit() const {
  return count_ * slotsPerId + (table_.sharedIds_ ? spareSharedSlots : spareSlots);
}

bool FunctionIds::add(int32_t id, FunctionIndex function) {
  bool isNew = sparse_.empty() || sparse_.erase(id) == 0;
  uint32_t slot = uint32_t(id) - firstId;
  if (slot < denseLimit()) {
    if (slot >= dense_.size())
      dense_.resize(size_t(slot) + 1, unresolved);
    isNew &= dense_[slot] == unresolved;
    dense_[slot] = function;
  } else {
    sparse_[id] = function;
  }
  count_ += isNew;
  if (sparse_.size() >= nextSettling_)
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

FunctionIndex FunctionIds::findSlowly(int32_t id) {
  if (uint32_t place = markedPlace(idOffset(id));
      place < marked_.size() && marked_[place] != unresolved)
    return marked_[place];
  if (auto known = sparse_.find(id); known != sparse_.end())
    return known->second;
  if (marksOf(id) != 0)
    return findMarked(id);
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

FunctionTable::FunctionTable() = default;

FunctionIndex FunctionTable::addFunction(StringRef name, uint32_t module, int32_t id, bool known) {
  if (rename_ && known && id != 0)
    name = saver_.save(rename_(name));
  auto index = FunctionIndex(functions_.size());
  functions_.push_back({name, module, id, known});
  functions_.back().direct = index;
  return index;
}

FunctionIndex FunctionTable::enteredBy(CallKind kind, FunctionIndex function) {
  FunctionIndex direct = functions_[function].direct;
  if (kind == CallKind::direct)
    return direct;
  auto [entry, isNew] = entered_.try_emplace(uint64_t(direct) << 2 | uint64_t(kind), 0);
  if (!isNew)
    return entry->second;
  Function entered = functions_[direct];
  entered.name = saver_.save(entered.name + suffixOf(kind));
  functions_.push_back(entered);
  return entry->second = FunctionIndex(functions_.size() - 1);
}

FunctionIndex FunctionTable::findMarked(FunctionIndex unmarked, uint32_t marks) {
  hasCallKinds_ = true;
  if (marks & marksOf(firstFunctionId | importMark))
    functions_[unmarked].isImported = true;
  bool byReference = marks & marksOf(firstFunctionId | referenceMark);
  return showsCallKinds_ && byReference ? enteredBy(CallKind::reference, unmarked) : unmarked;
}

void FunctionTable::renameFunctions(std::string (*rename)(StringRef name)) {
  rename_ = rename;
  for (Function &function : functions_)
    if (function.known && function.id != 0)
      function.name = saver_.save(rename(function.name));
}

FunctionIds &FunctionTable::addModule(uint64_t moduleId, StringRef name) {
  auto module = uint32_t(modules_.size());
  modules_.push_back({moduleId, name.str()});
  ids_.push_back(std::unique_ptr<FunctionIds>(new FunctionIds(*this, module)));
  moduleOfId_[moduleId] = module;
  return *ids_.back();
}

void FunctionTable::adopt(const RecordHeader &header) {
  adoptNames(header);
  // A record without samples has one stack, which nobody asks for.
  if (header.stacks.size() > 1 && stacks_.size() != header.stacks.size())
    adoptStacks(header);
}

FunctionIndex FunctionTable::textFrame(StringRef text) {
  auto [entry, isNew] = textFrames_.try_emplace(text, 0);
  if (isNew) {
    entry->second = addFunction(entry->getKey(), 0, 0, /*known=*/true);
    functions_.back().isTextFrame = true;
  }
  return entry->second;
}

void FunctionTable::adoptStacks(const RecordHeader &header) {
  for (const RecordedStack &stack : drop_begin(header.stacks, stacks_.size())) {
    FunctionIndex function = FunctionIds::unresolved;
    if (stack.id != 0) {
      function = idsOf(stack.moduleId).find(stack.id);
      bool isOfHost = stack.parent == 0 || functions_[stacks_[stack.parent].function].isImported;
      if (showsCallKinds_ && isOfHost)
        function = enteredBy(CallKind::host, function);
    } else if (!stacks_.empty())
      function = textFrame(stack.text);
    stacks_.push_back({function, stack.parent});
  }
}

void FunctionTable::adoptNames(const RecordHeader &header) {
  if (adoptedFunctions_ == header.namedFunctions)
    return;
  hasMapping_ = true;
  sharedIds_ &= hasMappingFile_;
  adopted_.resize(header.modules.size());
  for (auto [adopted, module] : zip_equal(adopted_, header.modules)) {
    if (adopted == module.functions.size())
      continue;
    auto isAdopted = [&](const RecordedModule::Function &function) {
      return !hasMappingFile_ || isSection(function.id);
    };
    auto functions = make_filter_range(drop_begin(module.functions, adopted), isAdopted);
    if (!functions.empty()) {
      if (!hasMappingFile_ && moduleOfId_.count(module.id) == 0)
        addModule(module.id, module.name);
      FunctionIds &ids = idsOf(module.id);
      for (const RecordedModule::Function &function : functions)
        ids.add(function.id, addFunction(saver_.save(module.nameOf(function)), ids.module_,
                                         function.id, /*known=*/true));
      ids.settle();
    }
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
  for (const auto &[i, function] : enumerate(functions_))
    if (function.known && function.id > 0 && function.direct == i &&
        (sharedIds_ || function.module == known->second))
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

StringRef FunctionTable::streamName(const StreamInfo &stream) const {
  return stream.name.empty() ? mappedModuleName(stream.moduleId) : StringRef(stream.name);
}

std::string FunctionTable::describe(const StreamInfo &stream) const {
  StringRef name = streamName(stream);
  std::string text = "module " + std::to_string(stream.moduleId);
  return name.empty() ? text : text + " (" + displayName(name) + ")";
}

FunctionIndex FunctionTable::pseudoFunction(StringRef name) {
  auto [place, isNew] = pseudoFunctions_.try_emplace(name);
  if (isNew)
    place->second = addFunction(saver_.save(name), 0, 0, /*known=*/true);
  return place->second;
}
