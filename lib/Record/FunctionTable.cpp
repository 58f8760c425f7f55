//===- FunctionTable.cpp --------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Record/FunctionTable.h"
#include "warpo/Record/CodeFrames.h"
#include "warpo/Record/RecordFormat.h"
#include "warpo/Support/Demangle.h"
#include "warpo/Support/DisplayName.h"
#include "warpo/Support/NumberedName.h"
#include "warpo/Support/SectionId.h"
#include "warpo/Support/SourcePaths.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"
#include <algorithm>

using namespace llvm;
using namespace warpo;

FunctionIds &FunctionTable::idsOnStack(StreamIndex index, const StreamInfo &stream) {
  std::unique_ptr<FunctionIds> &ids = idsOnStack_[index];
  if (!ids) {
    FunctionIds &first = idsOf(stream.moduleId);
    ids.reset(new FunctionIds(*this, first.module_));
    ids->stack_ = std::make_unique<FunctionIds::Stack>(FunctionIds::Stack{first, {}, {}});
  }
  FunctionIds::Stack &stack = *ids->stack_;
  ArrayRef<ModuleWindow> declared = stream.windows.declared();
  for (const ModuleWindow &window : declared.drop_front(stack.modules.size())) {
    stack.windows.add(window);
    stack.modules.push_back(&idsOf(window.moduleId));
  }
  return *ids;
}

// In the outputs a suspension is a call like others.
FunctionIndex FunctionTable::addReserved(uint32_t module, int32_t id) {
  StringRef name = id == suspendedId ? "(suspended)" : id == recordingId ? "(recorder)" : "(trap)";
  hasSuspendedStacks_ |= id == suspendedId;
  hasRecordings_ |= id == recordingId;
  FunctionIndex index = addFunction(name, module, id, true);
  functions_[index].awaitsRenaming = false;
  return index;
}

FunctionTable::FunctionTable() = default;
FunctionTable::~FunctionTable() = default;

FunctionIndex FunctionTable::addFunction(StringRef name, uint32_t module, int32_t id, bool known) {
  auto index = FunctionIndex(functions_.size());
  functions_.push_back({name, module, id, known});
  functions_.back().direct = index;
  functions_.back().isLinked = linked_.count({module, id}) > 0;
  functions_.back().awaitsRenaming = id != 0 && (distinguishesNames_ || (rename_ && known));
  applyPlace(functions_.back());
  return index;
}

StringRef FunctionTable::fileCalled(StringRef path) const {
  auto [entry, isNew] = files_.try_emplace(path);
  if (isNew)
    entry->second = saver_.save(renameFile_ ? renameFile_(path) : plainPath(path).str());
  return entry->second;
}

void FunctionTable::renameFiles(std::function<std::string(StringRef)> rename) {
  renameFile_ = std::move(rename);
  files_.clear();
  for (Function &function : functions_)
    if (!function.file.empty())
      function.file = fileCalled(function.file);
}

void FunctionTable::applyPlace(Function &function) {
  if (function.module >= places_.size() || !places_[function.module].places || function.id <= 0)
    return;
  const SourcePlaces &places = *places_[function.module].places;
  const SourcePlaces::Function *found = places.find(function.id);
  if (!found)
    return;
  if (found->file != 0 && (function.file.empty() || !hasMappingFile_)) {
    function.file = fileCalled(places.texts[found->file]);
    function.line = found->line;
  }
  ArrayRef<uint32_t> inlined = places.inlinedInto(*found);
  if (inlined.empty())
    return;
  MutableArrayRef<StringRef> names(allocator_.Allocate<StringRef>(inlined.size()), inlined.size());
  for (auto [name, text] : zip_equal(names, inlined))
    name = places.texts[text];
  function.inlined = names;
  // Places may come after the function has been looked at.
  if (rename_ && !function.awaitsRenaming)
    renameInlined(function);
}

void FunctionTable::declareLinkedFunctions(size_t, const RecordedModule &module,
                                           ArrayRef<int32_t> added) {
  // Without a file of names, modules have no functions in common.
  sharedIds_ &= hasMappingFile_;
  FunctionIds &ids = idsOf(module.id);
  for (int32_t function : added) {
    linked_.insert({ids.module_, function});
    if (std::optional<FunctionIndex> known = ids.known(function))
      functions_[*known].isLinked = true;
  }
}

bool FunctionTable::knowsImports() const {
  return any_of(functions_, [](const Function &function) { return function.isImported; });
}

void FunctionTable::declarePlaces(size_t, const RecordedModule &module) {
  // Without a file of names, what is known of one module's functions is known of no other's.
  sharedIds_ &= hasMappingFile_;
  FunctionIds &ids = idsOf(module.id);
  if (places_.size() <= ids.module_)
    places_.resize(ids.module_ + 1);
  ModulePlaces &places = places_[ids.module_];
  // Where a mapping says that the functions of all modules are the same, one place is enough.
  if (places.places && places.moduleId != module.id)
    return;
  places = {module.id, module.places};
  kept_.push_back(module.places);
  for (const SourcePlaces::Function &function : places.places->functions)
    if (std::optional<FunctionIndex> known = ids.known(function.id))
      applyPlace(functions_[*known]);
}

FunctionIndex FunctionTable::enteredBy(CallKind kind, FunctionIndex function) {
  FunctionIndex direct = functions_[function].direct;
  if (kind == CallKind::direct)
    return direct;
  auto [entry, isNew] = entered_.try_emplace(uint64_t(direct) << 2 | uint64_t(kind), 0);
  if (!isNew)
    return entry->second;
  Function entered = (*this)[direct];
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
    function.awaitsRenaming =
        function.isInlined || (function.known && function.id != 0 && !isReserved(function.id));
}

void FunctionTable::distinguishNames() {
  distinguishesNames_ = true;
  for (Function &function : functions_)
    function.awaitsRenaming |= function.id != 0 && !isReserved(function.id);
}

void FunctionTable::rename(Function &function) const {
  function.awaitsRenaming = false;
  StringRef recorded = function.name;
  if (distinguishesNames_)
    collectNames();
  if (rename_ && function.known)
    function.name = saver_.save(rename_(recorded));
  if (rename_)
    renameInlined(function);
  if (distinguishesNames_)
    distinguish(function, recorded);
}

static constexpr uint32_t severalModules = UINT32_MAX;

/// Before any of these functions is renamed.
void FunctionTable::collectNames() const {
  for (; collectedNames_ < functions_.size(); ++collectedNames_) {
    const Function &function = functions_[collectedNames_];
    // What was inlined, and frames of the host, have no id and are of no module of their own. What
    // a mapping says of every module is of none until one has adopted it.
    bool awaitsAdoption = sharedIds_ && distinguishesModules_ && function.module == 0;
    if (function.id == 0 || awaitsAdoption)
      continue;
    auto [entry, isNew] =
        moduleOfName_.try_emplace(CachedHashStringRef(function.name), function.module);
    if (!isNew && entry->second != function.module)
      entry->second = severalModules;
  }
}

std::string FunctionTable::moduleLabel(uint32_t module) const {
  std::string label = moduleName(modules_[module].moduleId);
  auto isCalledSo = [&](const MappedModule &other) { return other.name == modules_[module].name; };
  if (!modules_[module].name.empty() && count_if(modules_, isCalledSo) > 1)
    label += " " + std::to_string(modules_[module].moduleId);
  return label;
}

void FunctionTable::distinguish(Function &function, StringRef recorded) const {
  auto [first, isNew] = recordedAs_.try_emplace(CachedHashStringRef(function.name), recorded);
  if (!isNew && first->second != recorded)
    function.name = saver_.save(demangleName(recorded));
  if (function.id == 0 || modules_.size() < 2)
    return;
  // `func[7]`, `function 16777216`: another module has one that is called so, met or not.
  bool isNameless = !function.known || recorded.starts_with("func[");
  if (isNameless || moduleOfName_.lookup(CachedHashStringRef(recorded)) == severalModules)
    function.name = saver_.save(function.name + " (" + moduleLabel(function.module) + ")");
}

void FunctionTable::renameInlined(Function &function) const {
  size_t count = function.inlined.size();
  if (count == 0)
    return;
  MutableArrayRef<StringRef> names(allocator_.Allocate<StringRef>(count), count);
  for (auto [name, mangled] : zip_equal(names, function.inlined)) {
    auto [entry, isNew] = renamedInlined_.try_emplace(mangled);
    if (isNew)
      entry->second = saver_.save(rename_(mangled));
    name = entry->second;
  }
  function.inlined = names;
}

FunctionIds &FunctionTable::addModule(uint64_t moduleId, StringRef name) {
  auto module = uint32_t(modules_.size());
  modules_.push_back({moduleId, name.str()});
  ids_.push_back(std::unique_ptr<FunctionIds>(new FunctionIds(*this, module)));
  moduleOfId_[moduleId] = module;
  return *ids_.back();
}

FunctionIndex FunctionTable::textFrame(StringRef text) {
  auto [entry, isNew] = textFrames_.try_emplace(text, 0);
  if (isNew) {
    entry->second = addFunction(entry->getKey(), 0, 0, /*known=*/true);
    functions_.back().isTextFrame = true;
    if (text == "(idle)")
      idle_ = entry->second;
  }
  return entry->second;
}

void FunctionTable::declareStack(uint32_t, const RecordedStack &stack) {
  // A record without samples has no stack but the first, which is not asked for then.
  if (stacks_.empty())
    stacks_.push_back({FunctionIds::unresolved, 0});
  if (stack.id == 0) {
    stacks_.push_back({textFrame(stack.text), stack.parent});
    return;
  }
  FunctionIndex function = idsOf(stack.moduleId).find(stack.id);
  uint32_t parent = stack.parent;
  if (parent != 0 && isLinkTo(stacks_[parent].function, function)) {
    function = linkedBy(stacks_[parent].function, function);
    parent = stacks_[parent].parent;
  }
  bool isOfHost = parent == 0 || functions_[stacks_[parent].function].isImported;
  if (showsCallKinds_ && isOfHost)
    function = enteredBy(CallKind::host, function);
  uint32_t place = stack.offset ? codePlaceOf(function, stack) : 0;
  stacks_.push_back({function, parent, place});
}

uint32_t FunctionTable::codePlaceOf(FunctionIndex function, const RecordedStack &stack) {
  auto [entry, isNew] = codePlaceNumbers_.try_emplace(
      std::tuple(function, stack.moduleId, stack.offset), uint32_t(codePlaces_.size() + 1));
  if (isNew)
    codePlaces_.push_back({function, stack.moduleId, stack.offset});
  return entry->second;
}

ArrayRef<FunctionIndex> FunctionTable::framesOf(uint32_t stack) const {
  const ResolvedStack &resolved = stacks_[stack];
  if (resolved.place == 0 || (foldsInlined_ && !showsLines_))
    return resolved.function;
  ArrayRef<FunctionIndex> &frames = codePlaces_[resolved.place - 1].frames;
  if (frames.empty())
    frames = expand(codePlaces_[resolved.place - 1]);
  return frames;
}

/// So many frames are remembered: 64 MiB of numbers. A record of random offsets in code that is
/// inlined 255 times over must not fill the memory.
static constexpr size_t maxExpandedFrames = 1 << 24;

ArrayRef<FunctionIndex> FunctionTable::expand(const CodePlace &place) const {
  const Function &function = functions_[place.function];
  SmallVector<SourceFrame, 4> located;
  if (function.module < places_.size() && expandedFrames_ < maxExpandedFrames) {
    const ModulePlaces &known = places_[function.module];
    if (known.places && known.moduleId == place.moduleId) {
      if (!codeFrames_)
        codeFrames_ = std::make_unique<CodeFrames>();
      auto found = codeFrames_->find(*known.places, withoutMarks(function.id), place.offset);
      strayOffsets_ += !found;
      if (found)
        located = std::move(*found);
    }
  }
  SmallVector<FunctionIndex> frames{place.function};
  if (!located.empty()) {
    // Adding functions moves those that there are.
    uint32_t module = function.module;
    if (showsLines_)
      frames[0] = executing(place.function, located.back(), place.offset);
    located.pop_back();
    for (const SourceFrame &frame : reverse(located)) {
      if (foldsInlined_)
        break;
      FunctionIndex inside = inlined(module, frame);
      frames.push_back(showsLines_ ? executing(inside, frame, place.offset) : inside);
    }
  }
  expandedFrames_ += frames.size();
  return ArrayRef(frames).copy(allocator_);
}

FunctionIndex FunctionTable::inlined(uint32_t module, const SourceFrame &frame) const {
  StringRef file = frame.startFile.empty() ? StringRef() : fileCalled(frame.startFile);
  auto [entry, isNew] =
      inlined_.try_emplace(std::tuple(module, frame.function.data(), file.data(), frame.startLine),
                           FunctionIndex(functions_.size()));
  if (isNew) {
    StringRef name = frame.function.empty() ? StringRef("unknown function") : frame.function;
    Function function{.name = saver_.save(name + suffixOf(CallKind::inlined)),
                      .module = module,
                      .id = 0,
                      .known = true,
                      .file = file,
                      .line = file.empty() ? 0 : frame.startLine,
                      .isInlined = true,
                      .direct = entry->second,
                      .awaitsRenaming = rename_ != nullptr};
    functions_.push_back(function);
  }
  return entry->second;
}

FunctionIndex FunctionTable::executing(FunctionIndex function, const SourceFrame &frame,
                                       uint32_t offset) const {
  if (frame.file.empty() || frame.line == 0)
    return function;
  StringRef file = fileCalled(frame.file);
  auto [entry, isNew] = executing_.try_emplace(std::tuple(function, file.data(), frame.line),
                                               FunctionIndex(functions_.size()));
  if (isNew) {
    Function there = (*this)[function];
    there.executedFile = file;
    there.executedLine = frame.line;
    there.executedOffset = offset;
    functions_.push_back(there);
  }
  return entry->second;
}

void FunctionTable::declareModule(size_t, const RecordedModule &module,
                                  ArrayRef<RecordedModule::Function> added) {
  if (added.empty())
    return;
  hasMapping_ = true;
  sharedIds_ &= hasMappingFile_;
  auto functions = make_filter_range(added, [&](const RecordedModule::Function &function) {
    return !hasMappingFile_ || isSection(function.id);
  });
  if (functions.empty())
    return;
  if (!hasMappingFile_ && moduleOfId_.count(module.id) == 0)
    addModule(module.id, module.name);
  FunctionIds &ids = idsOf(module.id);
  for (const RecordedModule::Function &function : functions) {
    StringRef name = module.nameOf(function);
    uint64_t bodyHash = 0;
    if (auto numbered = NumberedName::parse(name); numbered && numbered->bodyHash != 0) {
      bodyHash = numbered->bodyHash;
      name = name.take_until([](char c) { return c == '#'; });
    }
    FunctionIndex index = addFunction(saver_.save(name), ids.module_, function.id, /*known=*/true);
    functions_[index].bodyHash = bodyHash;
    ids.add(function.id, index);
  }
  // Sections come one by one, and lie apart: a walk over all of them is for as many new ones.
  if (added.size() >= ids.sparse_.size())
    ids.settle();
}

std::optional<FunctionIndex> FunctionTable::adoptShared(uint32_t module, int32_t id) {
  if (!sharedIds_ || !distinguishesModules_ || !hasMapping_ || module == 0)
    return std::nullopt;
  std::optional<FunctionIndex> known = ids_.front()->known(id);
  if (!known || !functions_[*known].known)
    return std::nullopt;
  Function adopted = functions_[*known];
  adopted.module = module;
  adopted.direct = FunctionIndex(functions_.size());
  adopted.isLinked = linked_.count({module, id}) > 0;
  functions_.push_back(adopted);
  applyPlace(functions_.back());
  return adopted.direct;
}

FunctionIds &FunctionTable::idsOf(uint64_t moduleId) {
  if (sharesFunctions())
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
  auto isOfModule = [&](const Function &function) {
    bool isShared = sharedIds_ && (!distinguishesModules_ || function.module == 0);
    return isShared || (known != moduleOfId_.end() && function.module == known->second);
  };
  for (const auto &[i, function] : enumerate(functions_))
    if (function.known && function.id > 0 && !isReserved(function.id) && function.direct == i &&
        isOfModule(function))
      result.push_back(&(*this)[FunctionIndex(i)]);
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
  // A line has room for a few.
  constexpr size_t mostNamed = 4;
  auto moduleText = [](uint64_t id, StringRef name) {
    return std::to_string(id) + (name.empty() ? "" : " (" + displayName(name) + ")");
  };
  std::vector<uint64_t> modules = stream.moduleIds();
  std::string text = "module " + moduleText(stream.moduleId, streamName(stream));
  for (size_t i = 1; i < std::min(modules.size(), mostNamed); ++i)
    text += (i == 1 ? " with " : ", ") + moduleText(modules[i], mappedModuleName(modules[i]));
  if (modules.size() > mostNamed)
    text += " and " + std::to_string(modules.size() - mostNamed) + " more";
  return text;
}

FunctionIndex FunctionTable::pseudoFunction(StringRef name, StringLiteral attribute) {
  auto [place, isNew] = pseudoFunctions_.try_emplace({attribute, name.str()});
  if (isNew) {
    place->second = addFunction(saver_.save(name), 0, 0, /*known=*/true);
    functions_[place->second].attribute = attribute;
  }
  return place->second;
}
