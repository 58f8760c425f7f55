//===- ModuleInstrumenter.cpp ---------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Instrument/ModuleInstrumenter.h"
#include "CallKinds.h"
#include "CodeMapping.h"
#include "Traps.h"
#include "warpo/Instrument/Instrumentation.h"
#include "warpo/Support/Errors.h"
#include "warpo/Wasm/BodyHash.h"
#include "warpo/Wasm/CustomSectionWriter.h"
#include "warpo/Wasm/FunctionNames.h"
#include "warpo/Wasm/OpcodeNames.h"
#include "warpo/Wasm/SourceMapFile.h"
#include "warpo/Wasm/TracePoints.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/StringSaver.h"

using namespace llvm;
using namespace warpo;
using namespace warpo::wasm::opcode_names;

namespace {

class ModuleInstrumenter {
public:
  ModuleInstrumenter(const wasm::Module &module, InstrumentedModule &result)
      : module_(module), editor_(module), result_(result),
        keptImports_(module.importedFunctionCount()) {}

  Error createInstrumentations(const InstrumentOptions &options);
  Error selectFunctions(const InstrumentOptions &options);
  Error addThunks();
  void surroundImports();
  Error addCallKinds();
  Error addTraps();
  void redirectReferences();
  void reportIndices();
  Error identify(std::optional<uint64_t> moduleId);
  void setPolicy(const wasm::CustomSectionPolicy &policy) { editor_.setPolicy(policy); }
  Error locate(const InstrumentOptions &options);
  Error write(const InstrumentOptions &options);

private:
  void addPlaces(ModulePlaces places);
  /// Behind what has been written.
  void append(StringRef section, ArrayRef<uint8_t> contents);
  Error writeWith(wasm::ExceptionForm form, wasm::CodeMovements *movements);
  Error writeInFormOf(Unwinding unwinding, wasm::CodeMovements *movements);

  /// Asks the instrumentations, and checks that they go together.
  Error addNeeds(const InstrumentOptions &options);
  Error countFuel(const InstrumentOptions &options);
  ModuleFacts describeModule(const InstrumentOptions &options) const;
  Error addArtifacts(ArrayRef<wasm::Artifact> artifacts);
  void fillEdit(const FunctionReport &function, wasm::FunctionEdit &edit) const;
  void fillInstrumentations(const FunctionReport &function, wasm::FunctionEdit &edit) const;
  /// Whether calls of an imported function are looked at.
  bool followsImport(const FunctionReport &function) const {
    return function.id || (needs_.traps && function.selection != Selection::builtin);
  }
  void fillRun(const wasm::RunSite &run, wasm::CodeSequence &code) const;
  void fillCode(uint32_t function, std::vector<wasm::CodeInsertion> &insertions) const;
  /// Whether what it calls may throw, as far as the module shows that.
  bool mayThrow() const;
  bool catchesExceptions(Unwinding unwinding) const;
  void addCodeMap(const CodeMap &map);

  const wasm::Module &module_;
  wasm::ModuleEditor editor_;
  InstrumentedModule &result_;
  std::vector<std::unique_ptr<Instrumentation>> instrumentations_;
  /// Of all of them.
  InstrumentationNeeds needs_;
  std::optional<wasm::GlobalRef> fuel_;
  /// The imported functions whose references are not those of their thunks.
  BitVector keptImports_;
  bool surroundsImports_ = false;
  std::optional<CallKinds> callKinds_;
  std::optional<Traps> traps_;
  /// What the result is to have of them.
  std::optional<ModulePlaces> places_;
};

} // namespace

static constexpr uint64_t maxThunkParameters = 1 << 20;

static Error refuseInstrumented(const wasm::Module &module) {
  if (module.findCustomSection(wasm::moduleIdentitySection))
    return fileError(module.fileName, "is instrumented already: it has a section '" +
                                          wasm::moduleIdentitySection + "'");
  for (const wasm::Import &import : module.imports)
    if (auto *call = wasm::findHostCall(import.module, import.name); call && call->isInserted)
      return fileError(module.fileName, "is instrumented already: it imports " + wasm::hostModule +
                                            "." + call->name);
  return Error::success();
}

// Adds the counter; what counts stands in fillRun().
Error ModuleInstrumenter::countFuel(const InstrumentOptions &options) {
  fuel_ = editor_.addLastGlobal(wasm::ValueType::i64, true, 0);
  editor_.addCustomSection(wasm::fuelSection, wasm::encodeFuelSection(options.fuelCosts));
  result_.fuelCosts = options.fuelCosts;
  return exposeCounter(editor_, options.exportCounters, wasm::Counter::fuel, *fuel_);
}

Error ModuleInstrumenter::addNeeds(const InstrumentOptions &options) {
  StringRef entryLog;
  for (const auto &[name, instrumentation] :
       zip_equal(options.instrumentations, instrumentations_)) {
    InstrumentationNeeds needs = instrumentation->needs();
    if (needs.entryLog && !entryLog.empty())
      return makeError("'" + entryLog + "' and '" + name +
                       "' exclude each other: a record of one holds what the other would log");
    if (needs.entryLog)
      entryLog = name;
    needs_.functions |= needs.functions;
    needs_.exits |= needs.exits;
    needs_.runs |= needs.runs || needs.fuel;
    needs_.code |= needs.code;
    needs_.unwinding |= needs.unwinding;
    needs_.codeMap |= needs.codeMap;
    needs_.fuel |= needs.fuel;
    needs_.callKinds |= needs.callKinds;
    needs_.traps |= needs.traps;
  }
  if (options.exportCounters && !needs_.fuel)
    return makeError("--export-globals is of use only with an instrumentation that counts fuel");
  return Error::success();
}

Error ModuleInstrumenter::addArtifacts(ArrayRef<wasm::Artifact> artifacts) {
  if (artifacts.empty())
    return Error::success();
  for (const wasm::Artifact &artifact : artifacts)
    if (Error error = wasm::checkArtifact(artifact))
      return error;
  editor_.addCustomSection(wasm::artifactSection, wasm::encodeArtifacts(artifacts));
  return Error::success();
}

ModuleFacts ModuleInstrumenter::describeModule(const InstrumentOptions &options) const {
  ModuleFacts facts;
  facts.moduleId = result_.identity.moduleId;
  facts.firstId = firstFunctionId;
  facts.functions = uint32_t(
      llvm::count_if(result_.functions, [](const FunctionReport &each) { return each.id != 0; }));
  facts.forEachName = [this](function_ref<void(StringRef)> use) {
    for (const FunctionReport &function : result_.functions)
      if (function.id)
        use(function.name);
  };
  facts.hasSharedMemory = module_.hasSharedMemory;
  facts.memories = module_.memoryCount;
  facts.catchesExceptions = catchesExceptions(options.unwinding);
  facts.original = &module_;
  return facts;
}

Error ModuleInstrumenter::createInstrumentations(const InstrumentOptions &options) {
  if (options.instrumentations.empty())
    return makeError("no instrumentation is chosen");
  StringSet<> names;
  for (const std::string &name : options.instrumentations) {
    if (!names.insert(name).second)
      return makeError("instrumentation '" + name + "' is chosen twice");
    auto instrumentation = warpo::Registry<Instrumentation>::create(name);
    if (!instrumentation)
      return instrumentation.takeError();
    instrumentations_.push_back(std::move(*instrumentation));
  }
  if (Error error = setOptions(instrumentations_, options.given))
    return error;
  if (Error error = addNeeds(options))
    return error;
  if ((needs_.callKinds || needs_.traps) && !needs_.exits)
    return makeError(Twine(needs_.callKinds ? "'call-kinds'" : "'traps'") +
                     " is of use only with an instrumentation that tells entries and exits: trace, "
                     "or sample with --stack=shadow");
  result_.editsFunctions = needs_.functions;
  if (needs_.fuel)
    if (Error error = countFuel(options))
      return error;
  ModuleFacts facts = describeModule(options);
  ModuleDeclarations declarations(editor_, facts, fuel_, options.exportCounters);
  for (const auto &instrumentation : instrumentations_)
    if (Error error = instrumentation->declare(declarations))
      return error;
  if (Error error = addArtifacts(declarations.artifacts()))
    return error;
  if (needs_.runs)
    editor_.editRuns(options.fuelCosts, [this](const wasm::RunSite &run, wasm::CodeSequence &code) {
      fillRun(run, code);
    });
  if (needs_.code)
    editor_.editCode([this](uint32_t function, std::vector<wasm::CodeInsertion> &insertions) {
      fillCode(function, insertions);
    });
  return Error::success();
}

Error ModuleInstrumenter::selectFunctions(const InstrumentOptions &options) {
  auto selection = FunctionSelection::create(options.selection);
  if (!selection)
    return selection.takeError();
  wasm::FunctionNames names(module_);
  result_.namedByExport = names.namedByExport();
  result_.unnamed = names.unnamed();
  StringSaver saver(result_.functionNames);
  result_.functions.reserve(module_.functionCount());
  for (uint32_t i = 0; i != module_.functionCount(); ++i) {
    FunctionReport function;
    std::string name = names[i];
    function.name = saver.save(StringRef(name));
    function.index = i;
    function.isImported = module_.isImported(i);
    if (!function.isImported) {
      const wasm::ByteRange &body = module_.bodies[i - module_.importedFunctionCount()];
      function.codeOffset = body.offset;
      function.codeSize = uint32_t(body.bytes.size());
      if (options.hashBodies)
        function.bodyHash = wasm::hashBody(body.bytes);
    }
    Expected<Selection> selected = selection->select(module_, i, name);
    if (!selected)
      return selected.takeError();
    function.selection = *selected;
    result_.functions.push_back(function);
  }
  if (options.leaveOut) {
    auto leftOut = options.leaveOut(module_, result_.functions);
    if (!leftOut)
      return leftOut.takeError();
    for (uint32_t function : *leftOut)
      result_.functions[function].selection = Selection::budget;
  }
  int64_t nextId = firstFunctionId;
  for (FunctionReport &function : result_.functions) {
    if (function.selection != Selection::taken)
      continue;
    if (nextId > INT32_MAX)
      return fileError(module_.fileName, "more functions than there are ids");
    function.id = int32_t(nextId++);
  }
  return Error::success();
}

// Of a function that is instrumented; with traps, of any that is imported.
void ModuleInstrumenter::fillEdit(const FunctionReport &function, wasm::FunctionEdit &edit) const {
  if (function.id && needs_.functions)
    fillInstrumentations(function, edit);
  if (needs_.unwinding && !function.isImported)
    for (const auto &instrumentation : instrumentations_)
      instrumentation->instrumentUnwinding(function.index, edit.exceptionExit);
  if (traps_ && function.isImported)
    surroundsImports_ ? traps_->editAround(edit) : traps_->editThunk(edit);
}

void ModuleInstrumenter::fillInstrumentations(const FunctionReport &function,
                                              wasm::FunctionEdit &edit) const {
  FunctionSite site{function.id, function.name, uint32_t(function.id - firstFunctionId)};
  if (callKinds_)
    callKinds_->prepare(function, site, edit);
  if (instrumentations_.size() == 1)
    return instrumentations_.front()->instrument(site, edit);
  for (const auto &instrumentation : instrumentations_) {
    wasm::FunctionEdit part;
    instrumentation->instrument(site, part);
    edit.entry.append(part.entry);
    part.exit.append(edit.exit);
    edit.exit = part.exit;
    edit.entryLabels += part.entryLabels;
  }
}

void ModuleInstrumenter::fillRun(const wasm::RunSite &run, wasm::CodeSequence &code) const {
  if (fuel_ && run.cost)
    code.globalGet(*fuel_).i64Const(int64_t(run.cost)).raw("i64.add"_op).globalSet(*fuel_);
  for (const auto &instrumentation : instrumentations_)
    instrumentation->instrumentRun(run, code);
}

void ModuleInstrumenter::fillCode(uint32_t function,
                                  std::vector<wasm::CodeInsertion> &insertions) const {
  for (const auto &instrumentation : instrumentations_) {
    std::vector<wasm::CodeInsertion> earlier = std::move(insertions), ofOne;
    insertions.clear();
    instrumentation->instrumentCode(function, ofOne);
    std::merge(std::move_iterator(earlier.begin()), std::move_iterator(earlier.end()),
               std::move_iterator(ofOne.begin()), std::move_iterator(ofOne.end()),
               std::back_inserter(insertions),
               [](const wasm::CodeInsertion &left, const wasm::CodeInsertion &right) {
                 return left.offset < right.offset;
               });
  }
}

// A thunk calls an imported function and has its type. All calls go to it; references too, unless
// the program could tell: where subtypes of the declared type exist the function may be of one, and
// a dynamic library shares the identity of functions with others.
Error ModuleInstrumenter::addThunks() {
  if (!needs_.functions)
    return Error::success();
  // A thunk passes on each parameter, an import in the module names its type only: without a limit
  // a small file could ask for gigabytes.
  uint64_t parameters = 0;
  for (uint32_t i = 0; i != module_.importedFunctionCount(); ++i)
    if (followsImport(result_.functions[i]))
      parameters += module_.typeOf(i).params.count;
  if (parameters > maxThunkParameters)
    return fileError(module_.fileName, "imported functions with " + Twine(parameters) +
                                           " parameters in all, more than " +
                                           Twine(maxThunkParameters) +
                                           " (--no-import-thunks needs no room for them)");

  bool isDynamicLibrary =
      module_.findCustomSection("dylink.0") || module_.findCustomSection("dylink");
  for (uint32_t i = 0; i != module_.importedFunctionCount(); ++i) {
    FunctionReport &function = result_.functions[i];
    if (!followsImport(function))
      continue;
    if (!function.id) {
      editor_.addThunk(i, /*references=*/false, /*traces=*/false);
      keptImports_.set(i);
      continue;
    }
    bool references = module_.typeOf(i).isFinal && !isDynamicLibrary;
    if (!references) {
      ++result_.keptReferences;
      keptImports_.set(i);
    }
    function.thunkIndex = editor_.finalIndex(editor_.addThunk(i, references));
  }
  return Error::success();
}

void ModuleInstrumenter::surroundImports() {
  surroundsImports_ = true;
  for (uint32_t i = 0; i != module_.importedFunctionCount(); ++i)
    if (followsImport(result_.functions[i]))
      editor_.surround(i);
  keptImports_.set();
}

Error ModuleInstrumenter::addCallKinds() {
  if (!needs_.callKinds)
    return Error::success();
  auto kinds = CallKinds::create(module_, editor_, result_.functions, keptImports_);
  if (!kinds)
    return kinds.takeError();
  callKinds_.emplace(std::move(*kinds));
  result_.tellingFunctions = callKinds_->telling().count();
  return Error::success();
}

Error ModuleInstrumenter::addTraps() {
  if (!needs_.traps)
    return Error::success();
  wasm::CodeSequence innermost, outermost;
  for (const auto &instrumentation : instrumentations_) {
    instrumentation->tellTrapped(innermost, /*isOutermost=*/false);
    instrumentation->tellTrapped(outermost, /*isOutermost=*/true);
  }
  auto traps =
      Traps::create(module_, editor_, result_.functions, keptImports_, innermost, outermost);
  if (!traps)
    return traps.takeError();
  traps_.emplace(std::move(*traps));
  traps_->editCalls(editor_, surroundsImports_);
  return Error::success();
}

// One function in the place of another, whoever asks for it: references stay equal to each other.
void ModuleInstrumenter::redirectReferences() {
  if (!callKinds_ && !traps_)
    return;
  BitVector redirected(module_.functionCount());
  if (callKinds_)
    redirected |= callKinds_->telling();
  if (traps_)
    redirected |= traps_->waysIn();
  if (redirected.none())
    return;
  auto edit = [this](const wasm::ReferenceSite &site, wasm::ReferenceEdit &edit) {
    const FunctionReport &function = result_.functions[site.function];
    if (callKinds_ && callKinds_->telling().test(site.function))
      callKinds_->editReference(edit);
    if (traps_)
      traps_->editReference(
          site, callKinds_ && function.id ? callKinds_->referencedId(function) : function.id, edit);
  };
  editor_.redirectReferences(SmallVector<uint32_t>(redirected.set_bits()), edit);
}

void ModuleInstrumenter::reportIndices() {
  for (FunctionReport &function : result_.functions)
    function.newIndex = editor_.finalIndex({wasm::FunctionRef::original, function.index});
}

Error ModuleInstrumenter::identify(std::optional<uint64_t> moduleId) {
  wasm::ModuleIdentity &identity = result_.identity;
  identity = wasm::ModuleIdentity::ofOriginal(module_.bytes);
  if (moduleId)
    identity.moduleId = *moduleId;
  if (const wasm::Section *section = module_.findCustomSection("build_id")) {
    ByteCursor cursor = section->contents.cursor();
    StringRef buildId = cursor.sizedString();
    if (Error error = cursor.takeError(module_.fileName))
      return error;
    identity.originalBuildId.assign(buildId.bytes_begin(), buildId.bytes_end());
  }
  return Error::success();
}

Error ModuleInstrumenter::locate(const InstrumentOptions &options) {
  auto places = options.locate(module_);
  if (!places)
    return places.takeError();
  result_.places.problems = std::move(places->problems);
  if (places->functions.empty())
    return Error::success();
  result_.places.origin = places->origin;
  result_.places.functions = places->functions.size();
  result_.sources = places->files;
  for (FunctionPlaces &known : places->functions) {
    FunctionReport &function = result_.functions[known.index];
    if (known.file && known.line) {
      function.source = known.file - 1;
      function.line = known.line;
    }
    known.id = function.id;
    if (places->name(known.name) == function.name)
      known.name = 0;
  }
  if (options.writesPlaces)
    places_ = std::move(*places);
  return Error::success();
}

void ModuleInstrumenter::addPlaces(ModulePlaces places) {
  EncodedPlaces encoded = encodePlaces(std::move(places));
  result_.places.leftOut = std::move(encoded.leftOut);
  result_.places.bytes = encoded.bytes.size();
  if (!encoded.bytes.empty())
    append(wasm::placesSection, encoded.bytes);
}

void ModuleInstrumenter::append(StringRef section, ArrayRef<uint8_t> contents) {
  ByteWriter writer(result_.bytes);
  wasm::appendCustomSection(section, contents, writer);
}

// `movements`, if not null, learns where code has gone.
Error ModuleInstrumenter::writeWith(wasm::ExceptionForm form, wasm::CodeMovements *movements) {
  result_.bytes.clear();
  result_.exceptionForm = form;
  editor_.catchExceptions(form);
  auto edit = [&](uint32_t index, wasm::FunctionEdit &edit) {
    const FunctionReport &function = result_.functions[index];
    fillEdit(function, edit);
  };
  auto statistics = editor_.write(edit, result_.bytes, movements);
  if (!statistics)
    return statistics.takeError();
  result_.statistics = std::move(*statistics);
  return Error::success();
}

// The functions of WASI do not throw.
bool ModuleInstrumenter::mayThrow() const {
  return any_of(module_.imports,
                [](const wasm::Import &import) {
                  return import.kind == wasm::ExternalKind::tag ||
                         (import.kind == wasm::ExternalKind::function &&
                          !import.module.starts_with("wasi_"));
                }) ||
         any_of(module_.sections,
                [](const wasm::Section &section) { return section.id == wasm::SectionId::tag; });
}

// Unless it is asked for, only where there may be any: engines without exceptions run the others.
bool ModuleInstrumenter::catchesExceptions(Unwinding unwinding) const {
  if (unwinding == Unwinding::none)
    return false;
  return needs_.exits || (needs_.unwinding && (unwinding != Unwinding::automatic || mayThrow()));
}

void ModuleInstrumenter::addCodeMap(const CodeMap &map) {
  const FunctionReport *last = result_.functions.empty() ? nullptr : &result_.functions.back();
  uint32_t added = last ? last->newIndex.value_or(last->index) - last->index : 0;
  append(wasm::codeSection, encodeCodeSection(map, added, module_.functionCount()));
}

Error ModuleInstrumenter::writeInFormOf(Unwinding unwinding, wasm::CodeMovements *movements) {
  using wasm::ExceptionForm;
  static constexpr ExceptionForm forms[] = {ExceptionForm::legacy, ExceptionForm::none,
                                            ExceptionForm::legacy, ExceptionForm::exnref};
  if (!catchesExceptions(unwinding))
    unwinding = Unwinding::none;
  if (Error error = writeWith(forms[size_t(unwinding)], movements))
    return error;
  bool usesLegacy = result_.statistics.usesLegacyExceptions;
  bool usesExnref = result_.statistics.usesExnref;
  ExceptionForm form = result_.exceptionForm;
  if (form != ExceptionForm::none && usesLegacy && usesExnref)
    return fileError(module_.fileName,
                     "has both forms of exception handling, of which engines take one");
  if (form == ExceptionForm::exnref && usesLegacy)
    return fileError(module_.fileName, "has the legacy form of exception handling: "
                                       "--unwind=exnref would mix the two");
  if (form == ExceptionForm::legacy && usesExnref) {
    if (unwinding != Unwinding::automatic)
      return fileError(module_.fileName, "has the newer form of exception handling: "
                                         "--unwind=legacy would mix the two");
    // The form shows only in the code, which most modules of the other form would be read for in
    // vain: these are written twice.
    if (Error error = writeWith(ExceptionForm::exnref, movements))
      return error;
  }
  return Error::success();
}

Error ModuleInstrumenter::write(const InstrumentOptions &options) {
  bool movesSourceMap = options.sourceMap && !options.newSourceMapUrl.empty();
  bool mapsCode = (places_ || needs_.codeMap) && options.mapsCode;
  if (movesSourceMap)
    editor_.replaceCustomSection(sourceMapSection, encodeSourceMapUrl(options.newSourceMapUrl));
  wasm::CodeMovements movements;
  if (Error error =
          writeInFormOf(options.unwinding, movesSourceMap || mapsCode ? &movements : nullptr))
    return error;
  std::optional<CodeMap> map;
  if (movesSourceMap || mapsCode) {
    auto rewritten = wasm::readModule(result_.bytes, module_.fileName);
    if (!rewritten)
      return rewritten.takeError();
    if (mapsCode)
      map = mapCode(module_, *rewritten, movements);
    if (movesSourceMap) {
      auto mappings = wasm::moveMappings(*options.sourceMap, module_, *rewritten, movements);
      if (!mappings)
        return mappings.takeError();
      result_.sourceMappings = std::move(*mappings);
    }
  }
  if (map && needs_.codeMap)
    addCodeMap(*map);
  if (map && places_)
    places_->map = std::move(*map);
  if (places_)
    addPlaces(std::move(*places_));
  append(wasm::moduleIdentitySection, wasm::encodeModuleIdentity(result_.identity));
  return wasm::renewBuildId(result_.bytes, module_.fileName);
}

Expected<InstrumentedModule> warpo::instrumentModule(ArrayRef<uint8_t> bytes, StringRef fileName,
                                                     const InstrumentOptions &options) {
  auto module = wasm::readModule(bytes, fileName);
  if (!module)
    return module.takeError();
  if (Error error = refuseInstrumented(*module))
    return error;

  wasm::SymbolFile symbols;
  SmallVector<uint8_t, 0> nameSection;
  if (options.symbols) {
    auto found = options.symbols(*module);
    if (!found)
      return found.takeError();
    symbols = std::move(*found);
    if (!symbols.functions.empty())
      wasm::replaceNames(*module, symbols, nameSection);
  }

  InstrumentedModule result;
  result.name = module->names.module.str();
  result.damagedNames = module->damagedNames;
  result.originalSize = bytes.size();
  ModuleInstrumenter instrumenter(*module, result);
  if (Error error = instrumenter.identify(options.moduleId))
    return error;
  if (Error error = instrumenter.selectFunctions(options))
    return error;
  if (Error error = instrumenter.createInstrumentations(options))
    return error;
  if (!options.importThunks)
    instrumenter.surroundImports();
  else if (Error error = instrumenter.addThunks())
    return error;
  if (Error error = instrumenter.addCallKinds())
    return error;
  if (Error error = instrumenter.addTraps())
    return error;
  instrumenter.redirectReferences();
  instrumenter.reportIndices();
  if (options.locate)
    if (Error error = instrumenter.locate(options))
      return error;
  instrumenter.setPolicy(options.customSections);
  if (Error error = instrumenter.write(options))
    return error;
  return result;
}
