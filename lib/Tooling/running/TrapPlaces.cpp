//===- TrapPlaces.cpp -----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "TrapPlaces.h"
#include "warpo/Profile/CodeDetail.h"
#include "warpo/Record/FunctionTable.h"
#include "warpo/Sampling/TracedNames.h"
#include "warpo/Source/SourceLocator.h"
#include "warpo/Support/Demangle.h"
#include "warpo/Support/DisplayName.h"
#include "warpo/Support/InputStream.h"
#include "warpo/Tooling/ToolMain.h"
#include "warpo/Wasm/FunctionNames.h"
#include "warpo/Wasm/ModuleIdentity.h"
#include "llvm/ADT/StringExtras.h"
#include <optional>

using namespace llvm;
using namespace warpo;

namespace {

/// A module of the program.
class TrappedModule {
public:
  /// Has no functions if the file cannot be read.
  explicit TrappedModule(StringRef path);

  bool has(const TrapFrame &frame) const;
  std::string nameOf(const TrapFrame &frame) const {
    return wasm::FunctionNames(module_).given(frame.function);
  }
  SmallVector<SourceFrame, 4> locate(const TrapFrame &frame);
  /// Locations of uninstrumented code do not match open calls.
  bool hasCalls(uint64_t moduleId) const { return isInstrumented_ && moduleId_ == moduleId; }
  const ModulePlaces &places();
  void nameCalls(FunctionTable &functions) const;

private:
  Expected<ModulePlaces> readPlaces() const;

  std::string path_;
  std::unique_ptr<MemoryBuffer> file_;
  wasm::Module module_;
  bool isInstrumented_ = false;
  uint64_t moduleId_ = 0;
  /// Set on first use.
  std::optional<ModulePlaces> places_;
};

/// All modules of a program, in the order of TrapFrame::unit.
class TrappedProgram {
public:
  explicit TrappedProgram(const RunRequest &program) {
    for (const RunRequest::Link &link : program.links)
      modules_.emplace_back(link.path);
    modules_.emplace_back(program.app);
  }

  void describe(const TrapFrame &frame, std::vector<std::string> &lines);
  void nameCalls(FunctionTable &functions) const;
  /// Null if no module has this id.
  const ModulePlaces *placesOf(uint64_t moduleId);

private:
  TrappedModule *moduleOf(const TrapFrame &frame);

  std::vector<TrappedModule> modules_;
};

} // namespace

TrappedModule::TrappedModule(StringRef path) : path_(path) {
  auto file = readWholeInput(path);
  if (!file) {
    consumeError(file.takeError());
    return;
  }
  file_ = std::move(*file);
  ArrayRef<uint8_t> bytes = arrayRefFromStringRef(file_->getBuffer());
  auto module = wasm::readModule(bytes, path);
  if (!module) {
    consumeError(module.takeError());
    return;
  }
  module_ = std::move(*module);
  isInstrumented_ = module_.findCustomSection(wasm::moduleIdentitySection) != nullptr;
  if (auto identity = wasm::readModuleIdentity(bytes, path))
    moduleId_ = *identity ? (*identity)->moduleId : 0;
  else
    consumeError(identity.takeError());
}

bool TrappedModule::has(const TrapFrame &frame) const {
  uint64_t body = uint64_t(frame.function) - module_.importedFunctionCount();
  if (frame.function < module_.importedFunctionCount() || body >= module_.bodies.size())
    return false;
  const wasm::ByteRange &code = module_.bodies[body];
  return !frame.offset || *frame.offset - code.offset < code.bytes.size();
}

Expected<ModulePlaces> TrappedModule::readPlaces() const {
  if (const wasm::Section *section = module_.findCustomSection(wasm::placesSection))
    return decodePlaces(section->contents.bytes, path_);
  // Offsets in files beside an instrumented module are those of the original.
  return isInstrumented_ ? ModulePlaces() : locateModule({module_, path_, "", ""});
}

const ModulePlaces &TrappedModule::places() {
  if (!places_) {
    auto places = readPlaces();
    if (places)
      places_ = std::move(*places);
    else
      (places_ = ModulePlaces())->problems.push_back(toString(places.takeError()));
    for (const std::string &problem : places_->problems)
      warn(path_ + ": source places: " + problem);
  }
  return *places_;
}

SmallVector<SourceFrame, 4> TrappedModule::locate(const TrapFrame &frame) {
  if (!frame.offset)
    return {};
  const ModulePlaces &known = places();
  return warpo::locate(known, isInstrumented_ ? known.map.originalOf(*frame.offset)
                                              : *frame.offset - known.code);
}

void TrappedModule::nameCalls(FunctionTable &functions) const {
  if (!isInstrumented_)
    return;
  RecordedModule module;
  module.id = moduleId_;
  for (const FunctionName &function : tracedNames(arrayRefFromStringRef(file_->getBuffer())))
    module.addFunction(function.id, function.name);
  functions.declareModule(0, module, module.functions);
}

void TrappedProgram::nameCalls(FunctionTable &functions) const {
  for (const TrappedModule &module : modules_)
    module.nameCalls(functions);
}

void warpo::nameCalls(const RunRequest &program, FunctionTable &functions) {
  TrappedProgram(program).nameCalls(functions);
}

const ModulePlaces *TrappedProgram::placesOf(uint64_t moduleId) {
  auto found =
      find_if(modules_, [=](const TrappedModule &module) { return module.hasCalls(moduleId); });
  return found == modules_.end() ? nullptr : &found->places();
}

TrappedModule *TrappedProgram::moduleOf(const TrapFrame &frame) {
  TrappedModule *found = nullptr;
  for (size_t unit = 0; unit != modules_.size(); ++unit) {
    if (frame.unit.value_or(unit) != unit || !modules_[unit].has(frame))
      continue;
    if (found)
      return nullptr;
    found = &modules_[unit];
  }
  return found;
}

static std::string withPlace(StringRef what, const SourceFrame &frame) {
  std::string place = displayPlace(frame.file, frame.line);
  if (place.empty())
    return what.str();
  if (frame.line > 0 && frame.column > 0)
    place += ":" + std::to_string(frame.column);
  return (what + ", " + place).str();
}

void TrappedProgram::describe(const TrapFrame &frame, std::vector<std::string> &lines) {
  TrappedModule *module = moduleOf(frame);
  SmallVector<SourceFrame, 4> frames;
  if (module)
    frames = module->locate(frame);
  // The last frame is the function itself.
  for (const SourceFrame &inlined : ArrayRef(frames).drop_back(frames.empty() ? 0 : 1))
    lines.push_back(withPlace(displayName(demangleName(inlined.function)) + " (inlined)", inlined));
  // V8 prepends the module's name, which is only useful if there are several.
  std::string name = frame.name;
  if (module && (name.empty() || modules_.size() == 1))
    name = module->nameOf(frame);
  std::string where = "wasm-function[" + std::to_string(frame.function) + "]";
  if (frame.offset)
    where += ":0x" + utohexstr(*frame.offset, /*LowerCase=*/true);
  if (!name.empty())
    where = displayName(demangleName(name)) + " (" + where + ")";
  lines.push_back(frames.empty() ? where : withPlace(where, frames.back()));
}

std::vector<std::string> warpo::describeStack(ArrayRef<TrapFrame> stack,
                                              const RunRequest &program) {
  std::vector<std::string> lines;
  if (stack.empty())
    return lines;
  TrappedProgram modules(program);
  for (const TrapFrame &frame : stack)
    modules.describe(frame, lines);
  return lines;
}

// The begin of the function with this id.
static SourceFrame beginningOf(const ModulePlaces &places, int32_t id) {
  SourceFrame frame;
  auto function =
      find_if(places.functions, [=](const FunctionPlaces &each) { return each.id == id; });
  if (function != places.functions.end()) {
    frame.file = places.file(function->file);
    frame.line = function->line;
  }
  return frame;
}

std::vector<std::string> warpo::placesOfCalls(ArrayRef<OpenCall> calls, const RunRequest &program) {
  TrappedProgram modules(program);
  // Makes a profile with one stack, in which each open call is a separate function.
  Profile profile;
  profile.weights.push_back({"calls", "calls", {0}});
  NodeIndex innermost = ContextTree::root;
  for (const OpenCall &call : reverse(calls)) {
    ProfileFunction function;
    function.module = uint32_t(profile.modules.size());
    function.id = call.id;
    auto module =
        find_if(profile.modules, [&](const ProfileModule &each) { return each.id == call.module; });
    if (module == profile.modules.end())
      profile.modules.push_back({call.module, ""});
    else
      function.module = uint32_t(module - profile.modules.begin());
    if (const ModulePlaces *places = modules.placesOf(call.module)) {
      SourceFrame begin = beginningOf(*places, call.id);
      function.file = SharedText(begin.file);
      function.line = begin.line;
    }
    innermost = profile.tree.append(innermost, FunctionIndex(profile.functions.size()));
    profile.functions.push_back(std::move(function));
    profile.weights[0].self.push_back(1);
  }
  CodeDetail detail;
  detail.placesOf = [&](uint64_t module) { return modules.placesOf(module); };
  detail.path = [](StringRef path) { return path.str(); };
  detail.showsLines = true;
  profile = addCodeDetail(std::move(profile), detail).profile;

  std::vector<std::string> places;
  NodeIndex node = NodeIndex(profile.tree.size() - 1);
  for (; node != ContextTree::root; node = profile.tree[node].parent) {
    const ProfileFunction &function = profile.function(node);
    if (function.executedLine)
      places.push_back(displayPlace(function.executedFile, function.executedLine));
    else
      places.push_back(function.file.empty() ? ""
                                             : "in " + displayPlace(function.file, function.line));
  }
  return places;
}
