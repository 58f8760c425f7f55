//===- NativeRun.cpp ------------------------------------------------------===//

#include "NativeRun.h"
#include "../QuietCall.h"
#include "../RecordSession.h"
#include "../Sampler.h"
#include "GuestThread.h"
#include "LoadedUnit.h"
#include "NativeGuest.h"
#include "NativeOpenCalls.h"
#include "warpo/Support/Errors.h"
#include "warpo_native.h"
#include <deque>
#include <dlfcn.h>
#include <map>
#include <sys/mman.h>

using namespace llvm;
using namespace warpo;
using wasm::ExternalKind;

namespace {

class NativeRun {
public:
  NativeRun(const RunRequest &request, const NativeProgram &program, PhaseLog phases)
      : request_(request), program_(program), host_(request), phases_(std::move(phases)) {}

  Error prepare(const NativeCompiler &compiler);
  Expected<RunResult> run();

private:
  Error loadUnit(const NativeUnit &source, const NativeCompiler &compiler);
  Error checkLinkedKinds(const LoadedUnit &unit);
  void runProgram();
  void instantiate(LoadedUnit &unit);
  void linkImports(LoadedUnit &unit);
  void describeEnd(bool returned);
  void beginPhase(const char *name);
  /// With the fuel that the program has burnt in it, as far as its modules count.
  void endPhase();
  std::optional<uint64_t> totalFuel();
  std::vector<uint64_t *> samplePoints();
  void describeResults();

  // What the modules call, on the program's thread.
  static uint64_t callHost(const void *function, const uint64_t *arguments, uint32_t count,
                           uint8_t *memory, uint64_t memorySize);
  static uint64_t sample(const warpo_native_unit *unit, uint64_t fuel);
  static void beginSection(const warpo_native_unit *unit, uint8_t *memory, uint64_t memorySize,
                           uint64_t address, uint64_t size);
  static void endSection(const warpo_native_unit *unit);
  LoadedUnit &unitOf(const warpo_native_unit *unit) { return units_[unit->tag >> 32]; }
  /// Those that modules without trace points have left open.
  void closeSections();
  std::vector<OpenCall> openCalls() const;
  static bool tryCallHost(const void *function, HostCall &call);
  static uint32_t numberType(const char *letters, uint32_t params, uint32_t results);
  static uint8_t *reserveMemory();
  static int commitMemory(uint8_t *begin, uint64_t size);

  const RunRequest &request_;
  const NativeProgram &program_;
  GuestHost host_;
  PhaseLog phases_;
  std::optional<uint64_t> fuelBefore_;
  NativeOpenCalls openCalls_;
  std::unique_ptr<GuestThread> thread_;
  std::unique_ptr<RecordSession> session_;
  warpo_native_host interface_ = {};
  /// Which stay where they are: their instances refer to them.
  std::deque<LoadedUnit> units_;
  /// If a module is sampled. Its timer stores into the instances.
  std::optional<Sampler> sampler_;
  std::map<std::string, uint32_t> types_;
  std::vector<uint64_t> results_;
  uint64_t compiledFunctions_ = 0;
  /// Set by a host function that ends the program.
  std::optional<GuestEnd> guestEnd_;
  NativeGuest guest_{interface_, guestEnd_};
  RunResult result_;
  /// The run of this thread's program.
  static thread_local NativeRun *current_;
};

thread_local NativeRun *NativeRun::current_ = nullptr;

} // namespace

Error NativeRun::loadUnit(const NativeUnit &source, const NativeCompiler &compiler) {
  auto compiled = compiler.compile(source);
  if (!compiled)
    return compiled.takeError();
  if (compiled->isNew)
    compiledFunctions_ += source.module.bodies.size();
  LoadedUnit &unit = units_.emplace_back();
  unit.source = &source;
  unit.library = dlopen(compiled->path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (unit.library)
    unit.code = static_cast<const warpo_native_module *>(
        dlsym(unit.library, "warpo_native_module_of_this"));
  if (!unit.code)
    return fileError(compiled->path, "the compiled module cannot be loaded: " + Twine(dlerror()) +
                                         "; remove it, so that it is made again");
  unit.fuelExport = unit.findOwnGlobal(wasm::fuelExport);
  return checkLinkedKinds(unit);
}

/// Functions have been compared by their types; the rest is known by what wasm2c made of it.
Error NativeRun::checkLinkedKinds(const LoadedUnit &unit) {
  const NativeUnit &source = *unit.source;
  for (size_t i = 0; i < source.imports.size(); ++i) {
    const ImportSource &from = source.imports[i];
    if (from.kind != ImportSource::linked)
      continue;
    const LoadedUnit &other = units_[from.unit];
    if (other.code->exports[from.exportIndex].kind != unit.code->import_kinds[i])
      return fileError(source.path, "import " + source.module.imports[i].module + "." +
                                        source.module.imports[i].name +
                                        ": its type is not that of the export of " +
                                        other.source->path);
  }
  return Error::success();
}

Error NativeRun::prepare(const NativeCompiler &compiler) {
  if (Error error = guest_.open(request_.guestStack))
    return error;
  auto thread = GuestThread::create();
  if (!thread)
    return thread.takeError();
  thread_ = std::move(*thread);
  phases_.begin("compile");
  for (const NativeUnit &source : program_.units) {
    if (Error error = loadUnit(source, compiler))
      return error;
    result_.instrumented |= source.instrumented;
  }
  phases_.end("functions", compiledFunctions_);

  interface_.trap = GuestThread::leave;
  interface_.call = callHost;
  interface_.sample = sample;
  interface_.begin_section = beginSection;
  interface_.end_section = endSection;
  interface_.number_type = numberType;
  interface_.reserve_memory = reserveMemory;
  interface_.commit_memory = commitMemory;
  interface_.stack_limit = thread_->stackLimit();
  openCalls_.attach(interface_);

  if (result_.instrumented) {
    auto session = RecordSession::open(request_.record);
    if (!session)
      return session.takeError();
    session_ = std::move(*session);
  }
  for (auto [i, unit] : enumerate(units_)) {
    unit.imports.resize(unit.source->imports.size());
    unit.unit.host = &interface_;
    unit.unit.tag = uint64_t(i) << 32;
    unit.unit.imports = unit.imports.data();
    if (!unit.source->instrumented)
      continue;
    const NativeUnit &source = *unit.source;
    if (Error error = session_->describeModule(source.id, source.bytes(), source.path))
      return error;
    if (source.samples && !sampler_) {
      auto stream = session_->openSampleStream(program_.units.back().id, request_.sampling);
      if (!stream)
        return stream.takeError();
      sampler_.emplace(request_.sampling, *stream);
    }
    bool isWarp = request_.record.format == "warp";
    if (!source.traces && (!source.hasSectionsOnly() || isWarp))
      continue;
    bool countsFuel = source.countsFuel || (!source.traces && unit.fuelExport);
    // Records of the format warp have a shorter way than short events.
    if (isWarp && !countsFuel)
      unit.unit.stream = session_->openStream(source.id);
    else if (countsFuel && !request_.record.onlyFuel)
      unit.unit.fuel_events = session_->openEventStream(source.id, countsFuel);
    else
      unit.unit.events = session_->openEventStream(source.id, countsFuel);
  }
  results_.resize(program_.resultTypes.size());
  return Error::success();
}

/// Those of other modules can be asked for once their instances are complete.
void NativeRun::linkImports(LoadedUnit &unit) {
  for (size_t i = 0; i < unit.imports.size(); ++i) {
    const ImportSource &from = unit.source->imports[i];
    warpo_native_import &import = unit.imports[i];
    if (from.kind == ImportSource::hostFunction)
      import.code = from.function;
    if (from.kind != ImportSource::linked)
      continue;
    LoadedUnit &other = units_[from.unit];
    const warpo_native_export &entry = other.code->exports[from.exportIndex];
    import.object = other.instance.get();
    if (entry.kind == 'f')
      import.code = entry.code;
    else
      import.object = reinterpret_cast<void *(*)(void *)>(entry.code)(other.instance.get());
  }
}

std::optional<uint64_t> NativeRun::totalFuel() {
  std::optional<uint64_t> total;
  for (const LoadedUnit &unit : units_)
    if (auto fuel = unit.fuel())
      total = total.value_or(0) + *fuel;
  return total;
}

/// The globals of the instances that say when to ask for a sample.
std::vector<uint64_t *> NativeRun::samplePoints() {
  std::vector<uint64_t *> points;
  for (const LoadedUnit &unit : units_)
    if (auto point = unit.findOwnGlobal(wasm::sampleDueExport))
      points.push_back(unit.globalAt(*point));
  return points;
}

void NativeRun::beginPhase(const char *name) {
  fuelBefore_ = totalFuel();
  phases_.begin(name);
}

void NativeRun::endPhase() {
  if (auto fuel = totalFuel())
    phases_.end("fuel", *fuel - fuelBefore_.value_or(0));
  else
    phases_.end();
}

void NativeRun::instantiate(LoadedUnit &unit) {
  phases_.begin("link");
  linkImports(unit);
  phases_.end("imports", unit.imports.size());
  beginPhase("start");
  unit.code->start(&interface_);
  unit.code->instantiate(unit.instance.get(), &unit.unit);
  const std::vector<wasm::Export> &exports = unit.source->module.exports;
  for (size_t i = 0; i < exports.size(); ++i)
    if (exports[i].kind == wasm::ExternalKind::function && exports[i].name == "_initialize" &&
        unit.code->exports[i].call) {
      // WASI's takes and gives nothing.
      const wasm::FunctionType &type = unit.source->typeOf(exports[i]);
      if (type.params.count == 0 && type.results.count == 0)
        unit.code->exports[i].call(unit.instance.get(), nullptr, nullptr);
    }
  closeSections();
  endPhase();
  if (sampler_)
    guest_.add(unit);
}

// Left by a jump: nothing here may need to be destroyed.
void NativeRun::runProgram() {
  current_ = this;
  for (LoadedUnit &unit : units_)
    instantiate(unit);
  if (program_.entry) {
    beginPhase("run");
    LoadedUnit &app = units_.back();
    app.code->exports[program_.entry->function].call(
        app.instance.get(), program_.entry->arguments.data(), results_.data());
    closeSections();
    endPhase();
  }
}

/// Whether the program runs on.
bool NativeRun::tryCallHost(const void *function, HostCall &call) {
  NativeRun &run = *current_;
  try {
    run.guestEnd_ = static_cast<const HostFunction *>(function)->call(run.host_, call);
  } catch (const std::bad_alloc &) {
    run.guestEnd_ = GuestEnd{std::nullopt, "the host ran out of memory"};
  }
  return !run.guestEnd_;
}

uint64_t NativeRun::callHost(const void *function, const uint64_t *arguments, uint32_t count,
                             uint8_t *memory, uint64_t memorySize) {
  HostCall call{ArrayRef(arguments, count), GuestMemory({memory, size_t(memorySize)})};
  if (!tryCallHost(function, call))
    GuestThread::leave("");
  return call.result;
}

std::vector<OpenCall> NativeRun::openCalls() const {
  std::vector<OpenCall> calls;
  for (auto [unit, id] : NativeOpenCalls::innermostFirst(interface_))
    calls.push_back({units_[unit].source->id, id});
  return calls;
}

uint64_t NativeRun::sample(const warpo_native_unit *unit, uint64_t fuel) {
  NativeRun &run = *current_;
  if (run.guest_.isCalling()) {
    auto next = QuietCall::sample(fuel);
    if (!next)
      GuestThread::leave(QuietCall::tooMuch.data());
    return *next;
  }
  return run.sampler_->sample(
      unit->tag >> 32, fuel, [&run] { return run.openCalls(); },
      [&run] { return run.guest_.read(); });
}

void NativeRun::beginSection(const warpo_native_unit *caller, uint8_t *memory, uint64_t memorySize,
                             uint64_t address, uint64_t size) {
  NativeRun &run = *current_;
  if (run.guest_.isCalling())
    return;
  LoadedUnit &unit = run.unitOf(caller);
  GuestMemory bytes({memory, size_t(memorySize)});
  int32_t id = run.session_->beginSection(unit.source->id, unit.stream(),
                                          bytes.range(address, size), unit.fuel().value_or(0));
  if (id != 0)
    NativeOpenCalls::beginSection(run.interface_, caller->tag | uint32_t(id));
}

void NativeRun::endSection(const warpo_native_unit *caller) {
  NativeRun &run = *current_;
  if (run.guest_.isCalling())
    return;
  LoadedUnit &unit = run.unitOf(caller);
  bool isOpen = NativeOpenCalls::endSection(run.interface_, caller->tag);
  if (warpo_event_stream *stream = unit.stream())
    warpo_section_end(stream, unit.fuel().value_or(0));
  else
    run.result_.sections.endsWithoutBegin += !isOpen && run.session_->recordsSections();
}

void NativeRun::closeSections() {
  for (LoadedUnit &unit : units_)
    for (; unit.source->hasSectionsOnly() && NativeOpenCalls::endSection(interface_, unit.unit.tag);
         ++result_.sections.neverEnded)
      warpo_section_end(unit.stream(), unit.fuel().value_or(0));
}

uint32_t NativeRun::numberType(const char *letters, uint32_t params, uint32_t results) {
  std::string type(letters, params + results);
  type.insert(params, ":");
  auto &types = current_->types_;
  return types.try_emplace(std::move(type), uint32_t(types.size() + 1)).first->second;
}

uint8_t *NativeRun::reserveMemory() {
  // An address and an offset of 32 bits each, and the widest access.
  constexpr size_t reach = (size_t(8) << 30) + (64 << 10);
  return current_->thread_->reserve(reach);
}

int NativeRun::commitMemory(uint8_t *begin, uint64_t size) {
  return mprotect(begin, size, PROT_READ | PROT_WRITE) == 0;
}

void NativeRun::describeResults() {
  ArrayRef<ValueType> types = program_.resultTypes;
  if (request_.invoke.empty()) {
    // The result of main is an exit code.
    if (types.size() == 1 && types[0] == ValueType::i32)
      result_.exitCode = int(results_[0] & 0xff);
    return;
  }
  for (auto [type, bits] : zip_equal(types, results_))
    result_.results.push_back({type, bits});
}

void NativeRun::describeEnd(bool returned) {
  if (returned)
    return describeResults();
  if (guestEnd_ && guestEnd_->exitCode) {
    result_.exitCode = *guestEnd_->exitCode & 0xff;
    return;
  }
  result_.trap.emplace();
  result_.trap->message = guestEnd_ ? guestEnd_->message : thread_->message();
  result_.trap->openCalls = openCalls();
}

Expected<RunResult> NativeRun::run() {
  for (LoadedUnit &unit : units_)
    unit.instance.reset(new uint64_t[(unit.code->instance_size + 7) / 8]());
  if (sampler_)
    sampler_->startTimer(samplePoints());
  auto returned = thread_->run([this] { runProgram(); });
  if (!returned)
    return returned.takeError();
  closeSections();
  // The one that a trap ended.
  endPhase();
  describeEnd(*returned);
  result_.fuel = totalFuel();
  if (session_) {
    sampler_.reset();
    session_->addPhases(phases_);
    session_->finish(result_);
  }
  result_.guestStackProblems = guest_.problems();
  result_.engine = "native";
  return std::move(result_);
}

Expected<RunResult> warpo::runNative(const RunRequest &request, const NativeProgram &program,
                                     const NativeCompiler &compiler, PhaseLog phases) {
  NativeRun run(request, program, std::move(phases));
  if (Error error = run.prepare(compiler))
    return error;
  return run.run();
}
