//===- NativeRun.cpp ------------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "NativeRun.h"
#include "../FunctionTypes.h"
#include "../PhaseLog.h"
#include "GuestThread.h"
#include "NativeGuest.h"
#include "NativeOpenCalls.h"
#include "NativeUnit.h"
#include "StackSampler.h"
#include "warpo/Engine/ProgramRun.h"
#include "warpo/Support/Errors.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include <atomic>
#include <chrono>
#include <dlfcn.h>
#include <map>
#include <sys/mman.h>

using namespace llvm;
using namespace warpo;
using wasm::ExternalKind;

namespace {

class NativeRun : public ProgramRun, CompiledCalls {
public:
  NativeRun(const RunRequest &request, const NativeCompiler &compiler)
      : ProgramRun(request, "native", this), compiler_(compiler), host_(request) {}

private:
  Expected<std::unique_ptr<ProgramUnit>> decode(StringRef, ArrayRef<uint8_t>) override {
    return std::make_unique<NativeUnit>(request().sampling.byEngine);
  }
  Error prepare() override;
  Error execute(function_ref<Error()> work) override;
  Error link(ProgramUnit &unit) override;
  void start(ProgramUnit &unit) override;
  StoppedInstance *stopped(ProgramUnit &unit) override {
    return own(unit).canRun() ? &guest_.of(own(unit)) : nullptr;
  }
  void call(const ExportedFunction &function, ArrayRef<uint64_t> arguments,
            MutableArrayRef<uint64_t> results) override;
  std::vector<OpenCall> innermostFirst() const override;
  uint64_t stackWithout(size_t leftOut,
                        function_ref<uint64_t(uint64_t, const OpenCall &)> child) override;
  // These have enough stack: they are only called in functions of the host.
  void push(const ProgramUnit &unit, int32_t id) override {
    NativeOpenCalls::push(interface_, tagOf(unit) | uint32_t(id));
  }
  bool popSection(const ProgramUnit &unit) override {
    return NativeOpenCalls::endSection(interface_, tagOf(unit));
  }

  static NativeUnit &own(ProgramUnit &unit) { return static_cast<NativeUnit &>(unit); }
  NativeUnit &at(size_t place) const { return own(*units()[place]); }
  static uint64_t tagOf(const ProgramUnit &unit) { return uint64_t(unit.place) << 32; }
  Error resolveImports(NativeUnit &unit);
  /// Returns the number of functions that had to be compiled.
  Expected<size_t> loadCode(NativeUnit &unit);
  Error checkLinkedKinds(const NativeUnit &unit) const;
  void fillInterface();
  static void useEvents(NativeUnit &unit, bool hasTime);
  NativeStacks findFunctions() const;
  Error prepareSampler();
  std::vector<TrapFrame> notedStack() const;
  bool notesLeftCalls() const {
    return any_of(units(), [](const auto &unit) { return own(*unit).notesLeftCalls(); });
  }

  // Functions that modules call, on the program's thread.
  static uint64_t callHost(const void *function, const uint64_t *arguments, uint32_t count,
                           uint8_t *memory, uint64_t memorySize);
  static uint64_t takeSample(const warpo_native_unit *unit, uint64_t fuel);
  static void changeHeapOf(const warpo_native_unit *unit, int32_t operation, double address,
                           double size, double oldAddress);
  static void beginSectionOf(const warpo_native_unit *unit, uint8_t *memory, uint64_t memorySize,
                             uint64_t address, uint64_t size);
  static void endSectionOf(const warpo_native_unit *unit);
  static std::vector<TrapFrame> stackHere();
  static void makeRoomForCall(warpo_native_host *host);
  static NativeUnit &unitOf(const warpo_native_unit *unit) { return current_->at(unit->tag >> 32); }
  static bool tryCallHost(const void *function, HostCall &call);
  static uint32_t numberType(const char *letters, uint32_t params, uint32_t results);
  static uint8_t *reserveMemory();
  static int commitMemory(uint8_t *begin, uint64_t size);

  const NativeCompiler &compiler_;
  GuestHost host_;
  NativeOpenCalls openCalls_;
  std::unique_ptr<GuestThread> thread_;
  warpo_native_host interface_ = {};
  /// Recording was switched on, and no function of the program has begun since. Set by another
  /// thread.
  std::atomic<bool> resumes_ = false;
  NativeGuest guest_{*this, interface_, resumes_};
  /// Set if the program is sampled uninstrumented.
  std::unique_ptr<StackSampler> sampler_;
  std::map<std::string, uint32_t> types_;
  /// The run of the program on this thread.
  static thread_local NativeRun *current_;
};

thread_local NativeRun *NativeRun::current_ = nullptr;

} // namespace

Error NativeRun::resolveImports(NativeUnit &unit) {
  std::vector<const wasm::Import *> missing;
  for (const wasm::Import &import : unit.module.imports) {
    auto [other, index] = findLinked(unit, import);
    auto source = other ? ImportSource{ImportSource::linked, nullptr, other->place, index}
                        : unit.sourceInHost(import);
    if (!source) {
      missing.push_back(&import);
      continue;
    }
    if (other && import.kind == ExternalKind::function) {
      std::string given = typeLetters(other->module.typeOf(other->module.exports[index].index));
      if (given != typeLetters(*unit.module.types[import.type]) || StringRef(given).contains('?'))
        return fileError(unit.path, "import " + import.module + "." + import.name +
                                        ": the type of the function is not that of the export of " +
                                        other->path);
    }
    unit.imports.push_back(*source);
  }
  return refuseImports(unit, missing);
}

Expected<size_t> NativeRun::loadCode(NativeUnit &unit) {
  auto say = [&](const Twine &text) {
    if (request().onSlowStart)
      request().onSlowStart((sys::path::filename(unit.path) + text).str());
  };
  auto begun = std::chrono::steady_clock::now();
  auto compiled = compiler_.compile(unit, [&] { say(" is compiled first, once"); });
  std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begun;
  if (compiled && compiled->isNew)
    say(formatv(" was compiled in {0:f1} s", taken.count()));
  if (!compiled)
    return compiled.takeError();
  unit.tables = std::move(compiled->tables);
  unit.library = dlopen(compiled->path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (unit.library)
    unit.code = static_cast<const warpo_native_module *>(
        dlsym(unit.library, "warpo_native_module_of_this"));
  if (!unit.code)
    return fileError(compiled->path, "the compiled module cannot be loaded: " + Twine(dlerror()) +
                                         "; remove it, so that it is made again");
  if (Error error = checkLinkedKinds(unit))
    return error;
  return compiled->isNew ? unit.module.bodies.size() : 0;
}

/// The types of functions have been compared before; other kinds are known from wasm2c's output.
Error NativeRun::checkLinkedKinds(const NativeUnit &unit) const {
  for (size_t i = 0; i < unit.imports.size(); ++i) {
    const ImportSource &from = unit.imports[i];
    if (from.kind != ImportSource::linked)
      continue;
    const NativeUnit &other = at(from.unit);
    if (other.code->exports[from.exportIndex].kind != unit.code->import_kinds[i])
      return fileError(unit.path, "import " + unit.module.imports[i].module + "." +
                                      unit.module.imports[i].name +
                                      ": its type is not that of the export of " + other.path);
  }
  return Error::success();
}

Error NativeRun::prepare() {
  for (const auto &unit : units())
    if (Error error = resolveImports(own(*unit)))
      return error;
  if (Error error = host_.openFolders(request().directories))
    return error;
  auto thread = GuestThread::create();
  if (!thread)
    return thread.takeError();
  thread_ = std::move(*thread);
  beginPhase(PhaseLog::compile.data());
  size_t compiledFunctions = 0;
  for (const auto &unit : units()) {
    auto count = loadCode(own(*unit));
    if (!count)
      return count.takeError();
    compiledFunctions += *count;
  }
  endPhase("functions", compiledFunctions);
  fillInterface();
  for (const auto &each : units()) {
    NativeUnit &unit = own(*each);
    unit.linked.resize(unit.imports.size());
    unit.view.host = &interface_;
    unit.view.tag = tagOf(unit);
    unit.view.imports = unit.linked.data();
    unit.instance.reset(new uint64_t[(unit.code->instance_size + 7) / 8]());
  }
  std::vector<uint64_t *> samplePoints;
  for (const auto &unit : units())
    if (uint64_t *point = own(*unit).counterAt(wasm::Counter::sampleDue))
      samplePoints.push_back(point);
  // Not done on the program's thread, which has little stack.
  if (Error error = openRecord(samplePoints))
    return error;
  for (const auto &unit : units())
    useEvents(own(*unit), !request().record.onlyFuel);
  if (any_of(units(), [](const auto &unit) { return own(*unit).readsStack(); }))
    if (Error error = thread_->noteStacks())
      return error;
  return engineSamples() ? prepareSampler() : Error::success();
}

NativeStacks NativeRun::findFunctions() const {
  NativeStacks stacks;
  for (const auto &each : units()) {
    const NativeUnit &unit = own(*each);
    Dl_info object;
    if (dladdr(unit.code, &object) != 0)
      stacks.add(unit, unit.tables, reinterpret_cast<uintptr_t>(object.dli_fbase), unit.linked);
  }
  return stacks;
}

// Innermost first; the offsets of the calls in their functions are unknown.
std::vector<TrapFrame> NativeRun::notedStack() const {
  std::vector<TrapFrame> stack;
  if (thread_->notedStack().empty())
    return stack;
  NativeStacks functions = findFunctions();
  for (const EngineSamples::Frame &frame :
       reverse(functions.resolve({0, nullptr, thread_->notedStack()})))
    stack.push_back({"", frame.unit->place, frame.function, std::nullopt});
  return stack;
}

Error NativeRun::prepareSampler() {
  const SamplingRequest &sampling = request().sampling;
  auto sampler = StackSampler::create(interface_, thread_->stackBounds(),
                                      std::chrono::nanoseconds(sampling.periodNanoseconds()),
                                      findFunctions(), *engineSamples());
  if (!sampler)
    return sampler.takeError();
  sampler_ = std::move(*sampler);
  return Error::success();
}

void NativeRun::fillInterface() {
  interface_.trap = GuestThread::leave;
  interface_.call = callHost;
  interface_.sample = takeSample;
  interface_.change_heap = changeHeapOf;
  interface_.begin_section = beginSectionOf;
  interface_.end_section = endSectionOf;
  interface_.number_type = numberType;
  interface_.reserve_memory = reserveMemory;
  interface_.commit_memory = commitMemory;
  interface_.stack_limit = thread_->stackLimit();
  openCalls_.attach(interface_);
  interface_.forget_calls = makeRoomForCall;
}

void NativeRun::useEvents(NativeUnit &unit, bool hasTime) {
  unit.view.stack = unit.stack;
  if (!unit.stack)
    (unit.countsFuel && hasTime ? unit.view.fuel_events : unit.view.events) = unit.events;
}

/// Imports from other modules are only known once their instances are complete.
Error NativeRun::link(ProgramUnit &program) {
  NativeUnit &unit = own(program);
  for (size_t i = 0; i < unit.imports.size(); ++i) {
    const ImportSource &from = unit.imports[i];
    warpo_native_import &import = unit.linked[i];
    if (from.kind == ImportSource::hostFunction)
      import.code = from.function;
    if (from.kind != ImportSource::linked)
      continue;
    const NativeUnit &other = at(from.unit);
    const warpo_native_export &entry = other.code->exports[from.exportIndex];
    import.object = entry.kind == 'f' ? other.instance.get() : other.addressOf(entry);
    if (entry.kind == 'f')
      import.code = entry.code;
  }
  return Error::success();
}

// May be left by longjmp, so there must be no objects with destructors.
void NativeRun::start(ProgramUnit &program) {
  NativeUnit &unit = own(program);
  unit.isStarted = true;
  unit.code->start(&interface_);
  // Instantiating sets the counter to 0, so it has to be set again.
  uint64_t *recording = unit.counterAt(wasm::Counter::recording);
  auto follow = [&] {
    if (recording)
      followSwitch(recording, [this] {
        resumes_ = true;
        NativeOpenCalls::interrupt(interface_);
      });
  };
  follow();
  unit.code->instantiate(unit.instance.get(), &unit.view);
  follow();
  const warpo_native_export *initialize = unit.findExport("_initialize", "f");
  if (!initialize || !initialize->call)
    return;
  // WASI's has neither parameters nor results.
  const wasm::FunctionType &type = unit.typeOf(unit.descriptionOf(*initialize));
  if (type.params.count == 0 && type.results.count == 0)
    initialize->call(unit.instance.get(), nullptr, nullptr);
}

void NativeRun::call(const ExportedFunction &function, ArrayRef<uint64_t> arguments,
                     MutableArrayRef<uint64_t> results) {
  NativeUnit &unit = own(app());
  unit.findExport(function.name, "f")->call(unit.instance.get(), arguments.data(), results.data());
}

Error NativeRun::execute(function_ref<Error()> work) {
  Error failure = Error::success();
  (void)!failure; // mark as checked, so that it can be assigned
  auto returned = thread_->run([&] {
    current_ = this;
    if (sampler_)
      failure = sampler_->start();
    if (!failure)
      failure = work();
  });
  if (sampler_)
    sampler_->stop();
  sampler_.reset();
  if (!returned)
    return returned.takeError();
  if (!*returned)
    end(thread_->message(), notesLeftCalls() ? notedStack() : std::vector<TrapFrame>());
  return failure;
}

/// Returns whether the program continues.
bool NativeRun::tryCallHost(const void *function, HostCall &call) {
  NativeRun &run = *current_;
  try {
    run.hostEnd_ = static_cast<const HostFunction *>(function)->call(run.host_, call);
  } catch (const std::bad_alloc &) {
    run.hostEnd_ = GuestEnd{std::nullopt, "the host ran out of memory"};
  }
  return !run.hostEnd_;
}

uint64_t NativeRun::callHost(const void *function, const uint64_t *arguments, uint32_t count,
                             uint8_t *memory, uint64_t memorySize) {
  HostCall call{ArrayRef(arguments, count), GuestMemory({memory, size_t(memorySize)})};
  if (!tryCallHost(function, call))
    GuestThread::leave("");
  return call.result;
}

std::vector<OpenCall> NativeRun::innermostFirst() const {
  std::vector<OpenCall> calls;
  for (auto [place, id] : NativeOpenCalls::innermostFirst(interface_))
    calls.push_back({at(place).id, id});
  return calls;
}

uint64_t NativeRun::stackWithout(size_t leftOut,
                                 function_ref<uint64_t(uint64_t, const OpenCall &)> child) {
  return openCalls_.stackWithout(interface_, leftOut,
                                 [&](uint64_t around, const NativeOpenCalls::Call &call) {
                                   return child(around, OpenCall{at(call.unit).id, call.id});
                                 });
}

uint64_t NativeRun::takeSample(const warpo_native_unit *unit, uint64_t fuel) {
  const ProgramUnit &its = unitOf(unit);
  auto next = current_->sample(its, fuel);
  if (!next)
    GuestThread::leave(GuestCallback::tooMuch(its).data());
  return *next;
}

void NativeRun::changeHeapOf(const warpo_native_unit *unit, int32_t operation, double address,
                             double size, double oldAddress) {
  current_->changeHeap(unitOf(unit), operation, address, size, oldAddress);
}

void NativeRun::beginSectionOf(const warpo_native_unit *unit, uint8_t *memory, uint64_t memorySize,
                               uint64_t address, uint64_t size) {
  current_->beginSection(unitOf(unit),
                         GuestMemory({memory, size_t(memorySize)}).range(address, size), stackHere);
}

void NativeRun::endSectionOf(const warpo_native_unit *unit) {
  current_->endSection(unitOf(unit), stackHere);
}

std::vector<TrapFrame> NativeRun::stackHere() {
  GuestThread::noteStack();
  return current_->notedStack();
}

// Called when a function begins.
void NativeRun::makeRoomForCall(warpo_native_host *host) {
  NativeOpenCalls::endInterrupt(*host);
  if (!current_->ignoresEvents() && current_->resumes_.exchange(false))
    current_->resumeCalls(stackHere());
  NativeOpenCalls::makeRoom(*host);
}

uint32_t NativeRun::numberType(const char *letters, uint32_t params, uint32_t results) {
  std::string type(letters, params + results);
  type.insert(params, ":");
  auto &types = current_->types_;
  return types.try_emplace(std::move(type), uint32_t(types.size() + 1)).first->second;
}

uint8_t *NativeRun::reserveMemory() {
  // The sum of a 32-bit address and a 32-bit offset, plus the widest access.
  constexpr size_t reach = (size_t(8) << 30) + (64 << 10);
  return current_->thread_->reserve(reach);
}

int NativeRun::commitMemory(uint8_t *begin, uint64_t size) {
  return mprotect(begin, size, PROT_READ | PROT_WRITE) == 0;
}

Expected<RunResult> warpo::runNative(const RunRequest &request, const NativeCompiler &compiler) {
  return NativeRun(request, compiler).run();
}
