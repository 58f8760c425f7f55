//===- ModuleInstrumenter.cpp ---------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Instrument/ModuleInstrumenter.h"
#include "CallKinds.h"
#include "CodeOrigins.h"
#include "ExceptionForms.h"
#include "InstrumentationSet.h"
#include "SelectedFunctions.h"
#include "StackSwitches.h"
#include "Traps.h"
#include "warpo/Instrument/Instrumentation.h"
#include "warpo/Support/Errors.h"
#include "warpo/Wasm/CustomSectionWriter.h"
#include "warpo/Wasm/OpcodeNames.h"
#include "warpo/Wasm/SourceMapFile.h"
#include "warpo/Wasm/TracePoints.h"

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
  Error addThunks();
  void surroundImports();
  Error addCallKinds();
  Error addWaysOut();
  Error addTraps();
  void editCode();
  Error addStackSwitches();
  void redirectReferences();
  void reportIndices();
  Error identify(std::optional<uint64_t> moduleId);
  void setPolicy(const wasm::CustomSectionPolicy &policy) { editor_.setPolicy(policy); }
  Error write(const InstrumentOptions &options);

private:
  Error writeWith(wasm::ExceptionForm form, wasm::CodeMovements *movements);

  Error countFuel(const InstrumentOptions &options);
  ModuleFacts describeModule(const InstrumentOptions &options) const;
  Error addArtifacts(ArrayRef<wasm::Artifact> artifacts);
  void fillEdit(const FunctionReport &function, wasm::FunctionEdit &edit) const;
  void fillInstrumentations(const FunctionReport &function, wasm::FunctionEdit &edit) const;
  void fillAllButSwitches(const FunctionReport &function, wasm::FunctionEdit &edit) const;
  /// Whether code is inserted at calls of an imported function.
  bool followsImport(const FunctionReport &function) const {
    return function.id || (needs_.traps && function.selection != Selection::builtin);
  }
  /// The code around stack switches in a function.
  const wasm::CallSiteEdit &aroundSwitches(uint32_t function) const {
    static const wasm::CallSiteEdit nothing;
    return traps_ ? traps_->aroundSwitches(function) : nothing;
  }
  void fillRun(const wasm::RunSite &run, wasm::CodeSequence &code) const;
  void fillCode(uint32_t function, wasm::CodeInsertions &insertions) const;
  bool catchesExceptions(Unwinding unwinding) const;

  const wasm::Module &module_;
  wasm::ModuleEditor editor_;
  InstrumentedModule &result_;
  InstrumentationSet instrumentations_;
  InstrumentationNeeds needs_;
  std::optional<wasm::GlobalRef> fuel_;
  /// Called where control enters the module, if traps of other modules are to be found.
  std::optional<wasm::FunctionRef> enterModule_;
  /// The imported functions whose references do not go to thunks.
  BitVector keptImports_;
  bool surroundsImports_ = false;
  std::optional<CallKinds> callKinds_;
  std::optional<WaysOut> waysOut_;
  std::optional<Traps> traps_;
  std::optional<StackSwitches> switches_;
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

// Adds the counter; fillRun() increments it.
Error ModuleInstrumenter::countFuel(const InstrumentOptions &options) {
  fuel_ = editor_.addLastGlobal(wasm::ValueType::i64, true, 0);
  editor_.addCustomSection(wasm::fuelSection, wasm::encodeFuelSection(options.fuelCosts));
  result_.fuelCosts = options.fuelCosts;
  return exposeCounter(editor_, options.exportCounters, wasm::Counter::fuel, *fuel_);
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
  facts.originalHash = result_.identity.originalHash;
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
  facts.leftOut.resize(module_.functionCount());
  for (const FunctionReport &function : result_.functions)
    if (!function.id)
      facts.leftOut.set(function.index);
  facts.isAlone = instrumentations_.insertingCount() == 1;
  facts.catchesExceptions = catchesExceptions(options.unwinding);
  facts.reportsTraps = needs_.traps;
  facts.marksCalls = needs_.callKinds;
  facts.willBeOptimized = options.willBeOptimized;
  facts.original = &module_;
  return facts;
}

Error ModuleInstrumenter::createInstrumentations(const InstrumentOptions &options) {
  auto instrumentations = InstrumentationSet::create(options.instrumentations, options.given);
  if (!instrumentations)
    return instrumentations.takeError();
  instrumentations_ = std::move(*instrumentations);
  needs_ = instrumentations_.needs();
  if (options.exportCounters && !needs_.runs && !needs_.switched)
    return makeError("--export-globals needs an instrumentation with counters: fuel, fuel-limit, "
                     "sample, or trace with --switchable");
  if (needs_.variables && !options.importThunks)
    return makeError(Twine(needs_.switched ? "--switchable" : "a stack in a memory") +
                     " and --no-import-thunks exclude each other: code around calls of imported "
                     "functions has no place to keep its state during the call");
  result_.editsFunctions = needs_.functions;
  if (needs_.fuel)
    if (Error error = countFuel(options))
      return error;
  ModuleFacts facts = describeModule(options);
  ModuleDeclarations declarations(editor_, facts, fuel_, options.exportCounters);
  if (Error error = instrumentations_.declare(declarations))
    return error;
  result_.warnings = declarations.warnings().vec();
  if (needs_.trapsOfThread)
    enterModule_ = declarations.importHostCall(wasm::HostCall::enterModule);
  if (Error error = addArtifacts(declarations.artifacts()))
    return error;
  if (needs_.runs)
    editor_.editRuns(options.fuelCosts, [this](const wasm::RunSite &run, wasm::CodeSequence &code) {
      fillRun(run, code);
    });
  if (Error error = addStackSwitches())
    return error;
  return Error::success();
}

// Called for instrumented functions and, with traps, for all imported ones.
void ModuleInstrumenter::fillEdit(const FunctionReport &function, wasm::FunctionEdit &edit) const {
  fillAllButSwitches(function, edit);
  if (switches_ && switches_->switches(function.index))
    switches_->edit(aroundSwitches(function.index), edit);
  if (traps_ && !function.isImported)
    traps_->editExit(function.index, edit);
  if (traps_ && function.isImported)
    surroundsImports_ ? traps_->editAround(edit) : traps_->editThunk(edit);
}

void ModuleInstrumenter::fillAllButSwitches(const FunctionReport &function,
                                            wasm::FunctionEdit &edit) const {
  if (function.id && needs_.functions)
    fillInstrumentations(function, edit);
  if (needs_.bodies && !function.isImported)
    instrumentations_.instrumentBody(function.index, function.id != 0, edit);
  if (needs_.unwinding && !function.isImported)
    instrumentations_.instrumentUnwinding(function.index, edit.exceptionExit);
}

void ModuleInstrumenter::fillInstrumentations(const FunctionReport &function,
                                              wasm::FunctionEdit &edit) const {
  FunctionSite site{function.id, function.name, uint32_t(function.id - firstFunctionId),
                    function.index, function.isImported};
  if (callKinds_)
    callKinds_->prepare(function, site, edit);
  instrumentations_.instrument(site, edit);
}

void ModuleInstrumenter::fillRun(const wasm::RunSite &run, wasm::CodeSequence &code) const {
  if (fuel_ && run.cost)
    code.globalGet(*fuel_).i64Const(int64_t(run.cost)).raw("i64.add"_op).globalSet(*fuel_);
  instrumentations_.instrumentRun(run, code);
}

void ModuleInstrumenter::fillCode(uint32_t function, wasm::CodeInsertions &insertions) const {
  instrumentations_.instrumentCode(function, insertions);
  if (traps_)
    traps_->editHandlers(function, insertions);
  if (switches_ && switches_->switches(function)) {
    wasm::FunctionEdit edit;
    fillAllButSwitches(result_.functions[function], edit);
    switches_->insert(function, edit.addedLocals, aroundSwitches(function), insertions);
  }
}

// A thunk calls an imported function and has its type. All calls go to the thunk. So do references,
// unless the program could notice: if the declared type may have subtypes, the function may be of
// one, and a dynamic library shares the identity of functions with others.
Error ModuleInstrumenter::addThunks() {
  if (!needs_.functions)
    return Error::success();
  // A thunk passes on each parameter, while an import only refers to its type. Without a limit a
  // small file could cause gigabytes of code.
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
  result_.markedFunctions = callKinds_->marked().count();
  return Error::success();
}

Error ModuleInstrumenter::addStackSwitches() {
  if (!needs_.stacks)
    return Error::success();
  auto switches = StackSwitches::create(module_, editor_, fuel_);
  if (!switches)
    return switches.takeError();
  switches_ = std::move(*switches);
  return Error::success();
}

Error ModuleInstrumenter::addWaysOut() {
  if (!needs_.waysOut)
    return Error::success();
  wasm::CodeSequence report;
  instrumentations_.instrumentWayOut(report);
  auto waysOut = WaysOut::create(module_, editor_, result_.functions, keptImports_, report);
  if (!waysOut)
    return waysOut.takeError();
  waysOut_.emplace(std::move(*waysOut));
  // Traps edit all calls themselves.
  if (!needs_.traps)
    editor_.editCallSites(BitVector(module_.functionCount(), waysOut_->editsNamedCalls()),
                          [this](const wasm::CallSite &site) { return waysOut_->at(site); });
  return Error::success();
}

Error ModuleInstrumenter::addTraps() {
  if (!needs_.traps)
    return Error::success();
  wasm::CodeSequence innermost, outermost;
  instrumentations_.reportTrapped(innermost, /*isOutermost=*/false);
  instrumentations_.reportTrapped(outermost, /*isOutermost=*/true);
  auto traps = Traps::create(module_, editor_, result_.functions, keptImports_, innermost,
                             outermost, enterModule_, waysOut_ ? &*waysOut_ : nullptr);
  if (!traps)
    return traps.takeError();
  traps_.emplace(std::move(*traps));
  traps_->editCalls(editor_, surroundsImports_);
  return Error::success();
}

void ModuleInstrumenter::editCode() {
  if (needs_.code || switches_ || (traps_ && traps_->hasHandlers()))
    editor_.editCode([this](uint32_t function, wasm::CodeInsertions &insertions) {
      fillCode(function, insertions);
    });
}

// One thunk for each function, shared by call kinds and traps, so that references stay equal to
// each other.
void ModuleInstrumenter::redirectReferences() {
  if (!callKinds_ && !traps_)
    return;
  BitVector redirected(module_.functionCount());
  if (callKinds_)
    redirected |= callKinds_->marked();
  if (traps_)
    redirected |= traps_->waysIn();
  if (redirected.none())
    return;
  auto edit = [this](const wasm::ReferenceSite &site, wasm::ReferenceEdit &edit) {
    const FunctionReport &function = result_.functions[site.function];
    if (callKinds_ && callKinds_->marked().test(site.function))
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

// `movements`, if not null, receives the moves of code.
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

// Unless requested, only modules that may throw get handlers, so that engines without exceptions
// run the others.
bool ModuleInstrumenter::catchesExceptions(Unwinding unwinding) const {
  if (unwinding == Unwinding::none)
    return false;
  return needs_.exits ||
         (needs_.unwinding && (unwinding != Unwinding::automatic || mayThrow(module_)));
}

Error ModuleInstrumenter::write(const InstrumentOptions &options) {
  CodeOrigins origins(module_, options, needs_.codeMap, result_);
  if (Error error = origins.locate())
    return error;
  if (options.sourceMap && !options.newSourceMapUrl.empty())
    editor_.replaceCustomSection(sourceMapSection, encodeSourceMapUrl(options.newSourceMapUrl));
  Unwinding unwinding = catchesExceptions(options.unwinding) ? options.unwinding : Unwinding::none;
  auto writeForm = [&](wasm::ExceptionForm form) { return writeWith(form, origins.movements()); };
  if (Error error = writeInForm(unwinding, module_.fileName, result_.statistics, writeForm))
    return error;
  if (Error error = origins.append())
    return error;
  ByteWriter writer(result_.bytes);
  wasm::appendCustomSection(wasm::moduleIdentitySection,
                            wasm::encodeModuleIdentity(result_.identity), writer);
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
  if (Error error = selectFunctions(*module, options, result))
    return error;
  wasm::SymbolFile numbered = numberedNames(*module, result);
  SmallVector<uint8_t, 0> numberedSection;
  if (!numbered.functions.empty())
    wasm::replaceNames(*module, numbered, numberedSection);
  if (Error error = instrumenter.createInstrumentations(options))
    return error;
  if (!options.importThunks)
    instrumenter.surroundImports();
  else if (Error error = instrumenter.addThunks())
    return error;
  if (Error error = instrumenter.addCallKinds())
    return error;
  if (Error error = instrumenter.addWaysOut())
    return error;
  if (Error error = instrumenter.addTraps())
    return error;
  instrumenter.editCode();
  instrumenter.redirectReferences();
  instrumenter.reportIndices();
  instrumenter.setPolicy(options.customSections);
  if (Error error = instrumenter.write(options))
    return error;
  return result;
}
