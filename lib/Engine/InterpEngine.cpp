//===- InterpEngine.cpp - wabt's interpreter, in this process -------------===//
//
// wabt is seen by Interp*.cpp and Interp*.h alone. Its interpreter is slow and stops at some 1 300
// frames, but it needs nothing that is not in the program. It has no stack to give: a trap shows
// the calls that the trace points left open.
//
//===----------------------------------------------------------------------===//

#include "EntryFunction.h"
#include "GuestHost.h"
#include "HostCallTypes.h"
#include "InterpGuest.h"
#include "InterpUnit.h"
#include "OrderDump.h"
#include "QuietCall.h"
#include "RecordSession.h"
#include "Sampler.h"
#include "warpo/Sampling/OpenCalls.h"
#include "warpo/Support/Errors.h"
#include "warpo/Wasm/ModuleIdentity.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"

#include <wabt/binary-reader.h>
#include <wabt/interp/binary-reader-interp.h>

using namespace warpo;
using namespace warpo::interpreter;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;

namespace {

/// The proposals that the interpreter carries out reliably.
wabt::Features supportedFeatures() {
  wabt::Features features;
  features.enable_exceptions();
  features.enable_extended_const();
  features.enable_tail_call();
  return features;
}

/// As HostFunction::type writes it.
std::string describeType(const interp::FuncType &type) {
  auto letters = [](const interp::ValueTypes &types) {
    std::string text;
    for (interp::ValueType valueType : types)
      text += "ilfd?"[int(typeOf(valueType))];
    return text;
  };
  return letters(type.params) + ":" + letters(type.results);
}

/// Nobody but the interpreter may store into a global, so there is no timer. Asking for a sample
/// takes no more than a few instructions here.
constexpr unsigned questionsPerPeriod = 20;

class InterpRun {
public:
  explicit InterpRun(const RunRequest &request)
      : request_(request), host_(request), store_(supportedFeatures()) {}

  Expected<RunResult> run();

private:
  llvm::Error load(StringRef name, StringRef path);
  llvm::Error checkIdentities();
  /// Opens the record at the first module that can run and writes to it: a program that cannot run
  /// leaves the record of an earlier run as it is.
  llvm::Error openStream(Unit &unit);
  llvm::Error instantiate(Unit &unit);
  Expected<interp::Extern::Ptr> resolve(Unit &unit, const interp::ImportType &import);
  interp::Extern::Ptr makeHostFunction(Unit &unit, const HostFunction &function,
                                       const interp::FuncType &type);
  /// What the host took belongs to its function, which burns no fuel: that is checked next.
  void askIfSampleIsDue(Unit &unit);
  /// Of those that a Unit has to do with; null for others.
  interp::Extern::Ptr makeHostCall(Unit &unit, wasm::HostCall call, const interp::FuncType &type);
  interp::Extern::Ptr makeTracePoint(Unit &unit, const interp::FuncType &type);
  /// When to ask again; nothing if this ends a reader's call.
  std::optional<uint64_t> sample(Unit &unit, uint64_t fuel);
  void recordFuel(warpo_event_stream *stream, int32_t id, uint64_t fuel);
  GuestMemory memoryOf(interp::Thread &thread);
  uint64_t fuelOf(const Unit &unit, interp::Thread &thread);
  void beginSection(Unit &unit, interp::Thread &thread, uint32_t address, uint32_t size);
  void endSection(Unit &unit, uint64_t fuel);
  /// Those that modules without trace points have left open.
  void closeSections();
  llvm::Error runEntry();
  void recordMemory();
  llvm::Error findEntry();
  void beginPhase(const char *name);
  /// With the fuel that the program has burnt in it, as far as its modules count.
  void endPhase();
  std::optional<uint64_t> totalFuel();
  bool call(interp::Func &function, const interp::Values &arguments, interp::Values &results);
  void endWith(StringRef trapMessage);

  const RunRequest &request_;
  GuestHost host_;
  interp::Store store_;
  std::unique_ptr<RecordSession> session_;
  OpenCalls openCalls_;
  /// Once a module that is sampled has been instantiated.
  std::optional<Sampler> sampler_;
  InterpGuest guest_{store_, guestEnd_};
  PhaseLog phases_;
  std::optional<uint64_t> fuelBefore_;
  std::vector<std::unique_ptr<Unit>> units_;
  // Keeps what imports refer to.
  std::vector<interp::Extern::Ptr> provided_;
  /// The function to call; nothing if the start function is the program.
  std::optional<EntryCall> entry_;
  std::string entryName_;
  std::vector<ValueType> parameters_;
  /// Set by a host function that ends the program.
  std::optional<GuestEnd> guestEnd_;
  /// Whether the program has ended: then nothing more is called.
  bool ended_ = false;
  RunResult result_;
};

llvm::Error InterpRun::load(StringRef name, StringRef path) {
  auto file = llvm::MemoryBuffer::getFile(path, /*IsText=*/false,
                                          /*RequiresNullTerminator=*/false);
  if (!file)
    return fileError(path, file.getError());
  llvm::ArrayRef<uint8_t> bytes = llvm::arrayRefFromStringRef((*file)->getBuffer());
  wabt::ReadBinaryOptions options(supportedFeatures(), nullptr, /*read_debug_names=*/false,
                                  /*stop_on_first_error=*/true,
                                  /*fail_on_custom_section_error=*/false);
  wabt::Errors errors;
  interp::ModuleDesc description;
  if (wabt::Failed(interp::ReadBinaryInterp(path.str(), bytes.data(), bytes.size(), options,
                                            &errors, &description))) {
    if (errors.empty())
      return fileError(path, "engine interp cannot read this module; try --engine=node");
    return offsetError(path, errors.front().loc.offset,
                       errors.front().message + "; if the module is valid, try --engine=node");
  }
  auto identity = wasm::readModuleIdentity(bytes, path);
  if (!identity)
    return identity.takeError();
  auto unit = std::make_unique<Unit>();
  unit->name = name.str();
  unit->path = path.str();
  unit->file = std::move(*file);
  // A module without an identity gets its place on the command line.
  unit->place = units_.size();
  unit->id = *identity ? (*identity)->moduleId : units_.size() + 1;
  unit->module = interp::Module::New(store_, std::move(description));
  for (const interp::ImportType &import : unit->module->import_types())
    if (const wasm::HostCallInfo *info = wasm::findHostCall(import.module, import.name))
      unit->add(info->call);
  unit->findFuel();
  result_.instrumented |= unit->instrumented;
  units_.push_back(std::move(unit));
  return llvm::Error::success();
}

llvm::Error InterpRun::checkIdentities() {
  for (size_t i = 0; i < units_.size(); ++i)
    for (size_t j = 0; j < i; ++j)
      if (units_[i]->id == units_[j]->id && units_[i]->instrumented && units_[j]->instrumented)
        return fileError(units_[i]->path, "its module id " + Twine(units_[i]->id) +
                                              " is also that of " + units_[j]->path);
  return llvm::Error::success();
}

interp::Extern::Ptr InterpRun::makeTracePoint(Unit &unit, const interp::FuncType &type) {
  return interp::HostFunc::New(store_, type,
                               [this, &unit](interp::Thread &, const interp::Values &arguments,
                                             interp::Values &, interp::Trap::Ptr *) {
                                 if (guest_.isCalling())
                                   return wabt::Result::Ok;
                                 int32_t id = arguments[0].Get<interp::s32>();
                                 if (arguments.size() == 1)
                                   warpo_trace_event(unit.stream, id);
                                 else
                                   recordFuel(unit.stream, id, arguments[1].Get<interp::u64>());
                                 if (!unit.keepsStack)
                                   openCalls_.follow(unit.id, id);
                                 return wabt::Result::Ok;
                               });
}

interp::Extern::Ptr InterpRun::makeHostCall(Unit &unit, wasm::HostCall call,
                                            const interp::FuncType &type) {
  switch (call) {
  case wasm::HostCall::tracePoint:
  case wasm::HostCall::tracePointFuel:
    return makeTracePoint(unit, type);
  case wasm::HostCall::enterFrame:
  case wasm::HostCall::leaveFrame: {
    int32_t sign = call == wasm::HostCall::enterFrame ? 1 : -1;
    return interp::HostFunc::New(store_, type,
                                 [this, &unit, sign](interp::Thread &, const interp::Values &values,
                                                     interp::Values &, interp::Trap::Ptr *) {
                                   if (!guest_.isCalling())
                                     openCalls_.follow(unit.id,
                                                       sign * values[0].Get<interp::s32>());
                                   return wabt::Result::Ok;
                                 });
  }
  case wasm::HostCall::sample:
  case wasm::HostCall::sampleCaller:
    return interp::HostFunc::New(store_, type,
                                 [this, &unit](interp::Thread &, const interp::Values &values,
                                               interp::Values &results, interp::Trap::Ptr *trap) {
                                   auto next = sample(unit, values[0].Get<interp::u64>());
                                   if (next)
                                     results[0] = interp::Value::Make(interp::u64(*next));
                                   else
                                     *trap = interp::Trap::New(store_, QuietCall::tooMuch.str());
                                   return next ? wabt::Result::Ok : wabt::Result::Error;
                                 });
  case wasm::HostCall::beginSection:
    return interp::HostFunc::New(store_, type,
                                 [this, &unit](interp::Thread &thread, const interp::Values &values,
                                               interp::Values &, interp::Trap::Ptr *) {
                                   if (!guest_.isCalling())
                                     beginSection(unit, thread, values[0].Get<interp::u32>(),
                                                  values[1].Get<interp::u32>());
                                   return wabt::Result::Ok;
                                 });
  case wasm::HostCall::endSection:
    return interp::HostFunc::New(store_, type,
                                 [this, &unit](interp::Thread &thread, const interp::Values &,
                                               interp::Values &, interp::Trap::Ptr *) {
                                   if (!guest_.isCalling())
                                     endSection(unit, fuelOf(unit, thread));
                                   return wabt::Result::Ok;
                                 });
  default:
    return interp::Extern::Ptr();
  }
}

GuestMemory InterpRun::memoryOf(interp::Thread &thread) {
  interp::Instance *caller = thread.GetCallerInstance();
  if (!caller || caller->memories().empty())
    return GuestMemory({});
  auto first = store_.UnsafeGet<interp::Memory>(caller->memories().front());
  return GuestMemory({first->UnsafeData(), size_t(first->ByteSize())});
}

uint64_t InterpRun::fuelOf(const Unit &unit, interp::Thread &thread) {
  interp::Instance *caller = thread.GetCallerInstance();
  if (!unit.fuelExport || !caller || caller->module() != unit.module->self())
    return 0;
  auto counter = store_.UnsafeGet<interp::Global>(caller->exports()[*unit.fuelExport]);
  return counter->Get().Get<interp::u64>();
}

void InterpRun::beginSection(Unit &unit, interp::Thread &thread, uint32_t address, uint32_t size) {
  int32_t id = session_->beginSection(unit.id, unit.stream, memoryOf(thread).range(address, size),
                                      fuelOf(unit, thread));
  if (id != 0)
    openCalls_.follow(unit.id, id);
}

void InterpRun::endSection(Unit &unit, uint64_t fuel) {
  bool isOpen = openCalls_.endSection(unit.id);
  if (unit.stream)
    warpo_section_end(unit.stream, fuel);
  else
    result_.sections.endsWithoutBegin += !isOpen && session_->recordsSections();
}

void InterpRun::closeSections() {
  for (auto &unit : units_)
    for (; unit->hasSectionsOnly() && openCalls_.endSection(unit->id);
         ++result_.sections.neverEnded)
      warpo_section_end(unit->stream, unit->fuelCount(store_).value_or(0));
}

std::optional<uint64_t> InterpRun::sample(Unit &unit, uint64_t fuel) {
  if (guest_.isCalling())
    return QuietCall::sample(fuel);
  return sampler_->sample(
      unit.place, fuel, [this] { return openCalls_.innermostFirst(); },
      [this] { return guest_.read(); });
}

void InterpRun::recordFuel(warpo_event_stream *stream, int32_t id, uint64_t fuel) {
  if (!request_.record.onlyFuel)
    warpo_trace_event_fuel(stream, id, fuel);
  else if (stream)
    warpo_trace_event_at(stream, fuel, id);
}

void InterpRun::askIfSampleIsDue(Unit &unit) {
  if (!sampler_ || !sampler_->isOverdue() || !unit.instance)
    return;
  if (auto due = unit.findOwnGlobal(wasm::sampleDueExport))
    unit.globalAt(store_, *due)->UnsafeSet(interp::Value::Make(interp::u64(0)));
}

interp::Extern::Ptr InterpRun::makeHostFunction(Unit &unit, const HostFunction &function,
                                                const interp::FuncType &type) {
  return interp::HostFunc::New(
      store_, type,
      [this, &unit, &function, type](interp::Thread &thread, const interp::Values &arguments,
                                     interp::Values &results, interp::Trap::Ptr *trap) {
        llvm::SmallVector<uint64_t, 8> bits;
        for (size_t i = 0; i < arguments.size(); ++i)
          bits.push_back(bitsOf(typeOf(type.params[i]), arguments[i]));
        HostCall call{bits, memoryOf(thread)};
        guestEnd_ = function.call(host_, call);
        if (guestEnd_) {
          *trap = interp::Trap::New(store_, guestEnd_->message);
          return wabt::Result::Error;
        }
        if (!type.results.empty())
          results[0] = valueOf(typeOf(type.results[0]), call.result);
        if (unit.samples)
          askIfSampleIsDue(unit);
        return wabt::Result::Ok;
      });
}

/// What an import gets; null if nothing provides it.
Expected<interp::Extern::Ptr> InterpRun::resolve(Unit &unit, const interp::ImportType &import) {
  for (auto &other : units_)
    if (other->instance && other->name == import.module)
      if (auto found = other->findExport(store_, import.name, import.type->kind))
        return found;
  if (import.type->kind == interp::ExternKind::Func) {
    const auto &type = static_cast<const interp::FuncType &>(*import.type);
    std::string wanted = describeType(type);
    const wasm::HostCallInfo *info = wasm::findHostCall(import.module, import.name);
    if (info && wanted == warpo::typeOf(*info))
      if (interp::Extern::Ptr made = makeHostCall(unit, info->call, type))
        return made;
    const HostFunction *function = GuestHost::find(import.module, import.name);
    if (function && function->type == wanted)
      return makeHostFunction(unit, *function, type);
  } else if (import.module == "env" && import.type->kind == interp::ExternKind::Memory) {
    const auto &type = static_cast<const interp::MemoryType &>(*import.type);
    return interp::Memory::New(store_, type);
  } else if (import.module == "env" && import.type->kind == interp::ExternKind::Table) {
    const auto &type = static_cast<const interp::TableType &>(*import.type);
    return interp::Table::New(store_, type);
  }
  return interp::Extern::Ptr();
}

llvm::Error InterpRun::openStream(Unit &unit) {
  if (!session_) {
    auto session = RecordSession::open(request_.record);
    if (!session)
      return session.takeError();
    session_ = std::move(*session);
  }
  if (llvm::Error error = session_->describeModule(
          unit.id, llvm::arrayRefFromStringRef(unit.file->getBuffer()), unit.path))
    return error;
  if (unit.traces || unit.hasSectionsOnly())
    unit.stream = session_->openEventStream(unit.id, unit.countsFuel);
  if (unit.samples && !sampler_) {
    auto stream = session_->openSampleStream(units_.front()->id, request_.sampling);
    if (!stream)
      return stream.takeError();
    sampler_.emplace(request_.sampling, *stream, questionsPerPeriod);
  }
  return llvm::Error::success();
}

std::optional<uint64_t> InterpRun::totalFuel() {
  std::optional<uint64_t> total;
  for (auto &unit : units_)
    if (auto fuel = unit->fuelCount(store_))
      total = total.value_or(0) + *fuel;
  return total;
}

void InterpRun::beginPhase(const char *name) {
  fuelBefore_ = totalFuel();
  phases_.begin(name);
}

void InterpRun::endPhase() {
  if (auto fuel = totalFuel())
    phases_.end("fuel", *fuel - fuelBefore_.value_or(0));
  else
    phases_.end();
}

llvm::Error InterpRun::instantiate(Unit &unit) {
  phases_.begin("link");
  interp::RefVec imports;
  std::string missing;
  interp::Trap::Ptr trap;
  for (const interp::ImportType &import : unit.module->import_types()) {
    auto found = resolve(unit, import);
    if (!found)
      return found.takeError();
    if (!*found) {
      missing += (missing.empty() ? "" : ", ") + import.module + "." + import.name + " (" +
                 interp::GetName(import.type->kind) + ")";
      continue;
    }
    if (wabt::Failed((*found)->Match(store_, import, &trap)))
      return fileError(unit.path,
                       "import " + import.module + "." + import.name + ": " + trap->message());
    imports.push_back((*found)->self());
    provided_.push_back(std::move(*found));
  }
  if (!missing.empty())
    return fileError(unit.path, "engine interp does not provide " + missing +
                                    "; use --engine=node, or --link=<name>=<file.wasm>");
  phases_.end("imports", imports.size());
  if (unit.instrumented)
    if (llvm::Error error = openStream(unit))
      return error;
  beginPhase("start");
  unit.instance = interp::Instance::Instantiate(store_, unit.module.ref(), imports, &trap);
  if (!unit.instance) {
    // Nor is there what it counted in.
    phases_.end();
    endWith(trap ? trap->message() : "the module cannot be instantiated");
    return llvm::Error::success();
  }
  interp::Values none;
  // WASI's takes and gives nothing.
  if (auto initialize = unit.findFunction(store_, "_initialize");
      initialize && initialize->type().params.empty() && initialize->type().results.empty())
    call(*initialize, {}, none);
  closeSections();
  endPhase();
  if (llvm::any_of(units_, [](const auto &each) { return each->samples; }))
    guest_.add(unit);
  return llvm::Error::success();
}

void InterpRun::endWith(StringRef trapMessage) {
  ended_ = true;
  if (guestEnd_ && guestEnd_->exitCode) {
    result_.exitCode = *guestEnd_->exitCode & 0xff;
    return;
  }
  result_.trap.emplace();
  result_.trap->message = guestEnd_ ? guestEnd_->message : trapMessage.str();
  if (trapMessage == "call stack exhausted")
    result_.trap->message += "; engine interp has few frames, --engine=node has more";
  result_.trap->openCalls = openCalls_.innermostFirst();
}

bool InterpRun::call(interp::Func &function, const interp::Values &arguments,
                     interp::Values &results) {
  interp::Trap::Ptr trap;
  bool returned = wabt::Succeeded(function.Call(store_, arguments, results, &trap));
  closeSections();
  if (returned)
    return true;
  endWith(trap ? trap->message() : "an exception that nobody caught");
  return false;
}

// Asks the module, not an instance: a slip in --invoke is told before anything is recorded.
llvm::Error InterpRun::findEntry() {
  const interp::ModuleDesc &description = units_.front()->module->desc();
  std::vector<ExportedFunction> functions;
  for (const interp::ExportDesc &entry : description.exports) {
    if (entry.type.type->kind != interp::ExternKind::Func)
      continue;
    ExportedFunction &function = functions.emplace_back();
    function.name = entry.type.name;
    for (interp::ValueType type : wabt::cast<interp::FuncType>(entry.type.type.get())->params)
      function.parameters.push_back(typeOf(type));
  }
  auto entry = warpo::findEntry(request_, functions, !description.starts.empty());
  if (!entry)
    return entry.takeError();
  entry_ = std::move(*entry);
  if (entry_) {
    entryName_ = functions[entry_->function].name;
    parameters_ = functions[entry_->function].parameters;
  }
  return llvm::Error::success();
}

llvm::Error InterpRun::runEntry() {
  if (!entry_)
    return llvm::Error::success();
  interp::Func::Ptr entry = units_.front()->findFunction(store_, entryName_);
  const interp::FuncType &type = entry->type();
  interp::Values arguments, results;
  for (size_t i = 0; i < parameters_.size(); ++i)
    arguments.push_back(valueOf(parameters_[i], entry_->arguments[i]));
  beginPhase("run");
  bool returned = call(*entry, arguments, results);
  endPhase();
  if (!returned)
    return llvm::Error::success();
  for (size_t i = 0; i < results.size(); ++i) {
    ValueType resultType = typeOf(type.results[i]);
    result_.results.push_back({resultType, bitsOf(resultType, results[i])});
  }
  if (request_.invoke.empty()) {
    if (result_.results.size() == 1 && result_.results[0].type == ValueType::i32)
      result_.exitCode = int(result_.results[0].bits & 0xff);
    result_.results.clear();
  }
  return llvm::Error::success();
}

void InterpRun::recordMemory() {
  for (auto &unit : units_)
    if (interp::Extern::Ptr found = unit->instance ? unit->findExport(store_, wasm::orderDumpExport,
                                                                      interp::ExternKind::Memory)
                                                   : interp::Extern::Ptr()) {
      auto memory = found.As<interp::Memory>();
      return recordOrderDump(request_.record, {memory->UnsafeData(), size_t(memory->ByteSize())},
                             result_);
    }
}

Expected<RunResult> InterpRun::run() {
  if (llvm::Error error = guest_.open(request_.guestStack))
    return error;
  // Its code is made while it is decoded.
  phases_.begin("decode");
  if (llvm::Error error = load("", request_.app))
    return error;
  for (const RunRequest::Link &link : request_.links)
    if (llvm::Error error = load(link.name, link.path))
      return error;
  uint64_t bytes = 0;
  for (const auto &unit : units_)
    bytes += unit->file->getBufferSize();
  phases_.end("bytes", bytes);
  if (llvm::Error error = checkIdentities())
    return error;
  if (llvm::Error error = findEntry())
    return error;
  // The program itself comes last: it imports from the others.
  for (size_t i = 1; i <= units_.size() && !ended_; ++i)
    if (llvm::Error error = instantiate(*units_[i % units_.size()]))
      return error;
  if (!ended_)
    if (llvm::Error error = runEntry())
      return error;
  if (session_) {
    sampler_.reset();
    session_->addPhases(phases_);
    session_->finish(result_);
  }
  if (!result_.instrumented && request_.record.wanted())
    recordMemory();
  result_.guestStackProblems = guest_.problems();
  result_.fuel = totalFuel();
  result_.engine = "interp";
  return std::move(result_);
}

class InterpEngine : public Engine {
public:
  Expected<RunResult> run(const RunRequest &request) override {
    if (!request.hostImports.empty())
      return makeError("engine interp has no --host; use --engine=node");
    if (!request.directories.empty())
      return makeError("engine interp has no --dir; use --engine=node");
    // wabt allocates memories and tables of the sizes that the module asks for.
    try {
      return InterpRun(request).run();
    } catch (const std::bad_alloc &) {
      return makeError("engine interp ran out of memory");
    } catch (const std::exception &failure) {
      return makeError(Twine("engine interp failed: ") + failure.what());
    }
  }

  bool provides(wasm::HostCall) const override { return true; }
  unsigned preference() const override { return 1; }
};

warpo::Registry<Engine>::Add<InterpEngine>
    registration("interp", "wabt's interpreter, built in; slow, few frames, no files");

} // namespace
