//===- InterpEngine.cpp - wabt's interpreter, in this process -------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Only Interp*.cpp and Interp*.h use wabt. Its interpreter is slow and limited to about 1300
// frames, but it is built in.
//
//===----------------------------------------------------------------------===//

#include "FunctionTypes.h"
#include "GuestHost.h"
#include "InterpGuest.h"
#include "InterpSampler.h"
#include "InterpStack.h"
#include "warpo/Support/Errors.h"

#include <wabt/binary-reader.h>
#include <wabt/interp/binary-reader-interp.h>

using namespace warpo;
using namespace warpo::interpreter;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;

namespace {

/// The proposals that the interpreter supports reliably.
wabt::Features supportedFeatures() {
  wabt::Features features;
  features.enable_exceptions();
  features.enable_extended_const();
  features.enable_multi_memory();
  features.enable_tail_call();
  return features;
}

/// In the form of HostFunction::type.
std::string describeType(const interp::FuncType &type) {
  auto letters = [](const interp::ValueTypes &types) {
    std::string text;
    for (interp::ValueType valueType : types)
      text += "ilfd?"[int(typeOf(valueType))];
    return text;
  };
  return letters(type.params) + ":" + letters(type.results);
}

/// Only the interpreter may store into a global, so there is no timer for samples: the time is read
/// at pauses.
class InterpRun : public ProgramRun {
public:
  explicit InterpRun(const RunRequest &request)
      : ProgramRun(request, "interp"), host_(request), store_(supportedFeatures()) {}

private:
  Expected<std::unique_ptr<ProgramUnit>> decode(StringRef path,
                                                llvm::ArrayRef<uint8_t> bytes) override;
  llvm::Error prepare() override { return host_.openFolders(request().directories); }
  llvm::Error link(ProgramUnit &unit) override;
  void start(ProgramUnit &unit) override;
  StoppedInstance *stopped(ProgramUnit &unit) override {
    return own(unit).instance ? &guest_.of(own(unit)) : nullptr;
  }
  void call(const ExportedFunction &function, llvm::ArrayRef<uint64_t> arguments,
            llvm::MutableArrayRef<uint64_t> results) override;

  static Unit &own(ProgramUnit &unit) { return static_cast<Unit &>(unit); }
  interp::Extern::Ptr resolve(Unit &unit, size_t index);
  interp::Extern::Ptr makeHostFunction(const HostFunction &function, const interp::FuncType &type);
  /// Null for host calls that are not recorded.
  interp::Extern::Ptr makeHostCall(Unit &unit, wasm::HostCall call, const interp::FuncType &type);
  GuestMemory memoryOf(interp::Thread &thread);
  void pause(const Frames &frames);
  void lookForSamples(const Frames &frames);
  void applySwitch();
  void resume(const Frames &frames);
  void callFunction(interp::Func &function, const interp::Values &arguments,
                    interp::Values &results);

  GuestHost host_;
  interp::Store store_;
  InterpGuest guest_{*this, store_};
  /// The requested value of the counters `recording`, set by another thread.
  alignas(8) uint64_t recording_ = 0;
  /// Their current value.
  uint64_t applied_ = 0;
  /// Recording was switched on, and no function has begun since.
  bool resumes_ = false;
  /// Set if the program is sampled uninstrumented.
  std::optional<InterpSampler> engineSampler_;
  /// The imports of the unit being linked.
  interp::RefVec imports_;
  // Keeps the objects alive that imports refer to.
  std::vector<interp::Extern::Ptr> provided_;
};

Expected<std::unique_ptr<ProgramUnit>> InterpRun::decode(StringRef path,
                                                         llvm::ArrayRef<uint8_t> bytes) {
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
  auto unit = std::make_unique<Unit>(store_);
  // Called once there is an instance, so that its fuel can be read even if it traps.
  if (!description.starts.empty())
    unit->startFunction = description.starts.front().func_index;
  description.starts.clear();
  unit->code = interp::Module::New(store_, std::move(description));
  return unit;
}

interp::Extern::Ptr InterpRun::makeHostCall(Unit &unit, wasm::HostCall call,
                                            const interp::FuncType &type) {
  auto make = [&](auto body) {
    return interp::HostFunc::New(store_, type,
                                 [body](interp::Thread &thread, const interp::Values &values,
                                        interp::Values &, interp::Trap::Ptr *) {
                                   body(thread, values);
                                   return wabt::Result::Ok;
                                 });
  };
  switch (call) {
  case wasm::HostCall::tracePoint:
    return make([this, &unit](interp::Thread &thread, const interp::Values &values) {
      int32_t id = values[0].Get<interp::s32>();
      if (resumes_ && id > 0 && !ignoresEvents())
        resume(framesOf(thread));
      tracePoint(unit, id);
    });
  case wasm::HostCall::tracePointFuel:
    return make([this, &unit](interp::Thread &, const interp::Values &values) {
      tracePointFuel(unit, values[0].Get<interp::s32>(), values[1].Get<interp::u64>());
    });
  case wasm::HostCall::enterFrame:
  case wasm::HostCall::leaveFrame: {
    int32_t sign = call == wasm::HostCall::enterFrame ? 1 : -1;
    return make([this, &unit, sign](interp::Thread &, const interp::Values &values) {
      enterFrame(unit, sign * values[0].Get<interp::s32>());
    });
  }
  case wasm::HostCall::enterModule:
    // The first trap ends the program.
    return make([](interp::Thread &, const interp::Values &) {});
  case wasm::HostCall::heap:
    return make([this, &unit](interp::Thread &, const interp::Values &values) {
      changeHeap(unit, values[0].Get<interp::s32>(), values[1].Get<interp::f64>(),
                 values[2].Get<interp::f64>(), values[3].Get<interp::f64>());
    });
  case wasm::HostCall::beginSection:
    return make([this, &unit](interp::Thread &thread, const interp::Values &values) {
      beginSection(
          unit, memoryOf(thread).range(values[0].Get<interp::u32>(), values[1].Get<interp::u32>()),
          [&] { return stackOf(framesOf(thread), units()); });
    });
  case wasm::HostCall::endSection:
    return make([this, &unit](interp::Thread &thread, const interp::Values &) {
      endSection(unit, [&] { return stackOf(framesOf(thread), units()); });
    });
  case wasm::HostCall::sample:
  case wasm::HostCall::sampleCaller:
    return interp::HostFunc::New(store_, type,
                                 [this, &unit](interp::Thread &, const interp::Values &values,
                                               interp::Values &results, interp::Trap::Ptr *trap) {
                                   auto next = sample(unit, values[0].Get<interp::u64>());
                                   if (next)
                                     results[0] = interp::Value::Make(interp::u64(*next));
                                   else
                                     *trap = interp::Trap::New(store_,
                                                               GuestCallback::tooMuch(unit).str());
                                   return next ? wabt::Result::Ok : wabt::Result::Error;
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

interp::Extern::Ptr InterpRun::makeHostFunction(const HostFunction &function,
                                                const interp::FuncType &type) {
  return interp::HostFunc::New(
      store_, type,
      [this, &function, type](interp::Thread &thread, const interp::Values &arguments,
                              interp::Values &results, interp::Trap::Ptr *trap) {
        llvm::SmallVector<uint64_t, 8> bits;
        for (size_t i = 0; i < arguments.size(); ++i)
          bits.push_back(bitsOf(typeOf(type.params[i]), arguments[i]));
        HostCall call{bits, memoryOf(thread)};
        hostEnd_ = function.call(host_, call);
        if (hostEnd_) {
          *trap = interp::Trap::New(store_, hostEnd_->message, framesOf(thread));
          return wabt::Result::Error;
        }
        if (!type.results.empty())
          results[0] = valueOf(typeOf(type.results[0]), call.result);
        // Host functions use time, but no fuel.
        lookForSamples(framesOf(thread));
        return wabt::Result::Ok;
      });
}

/// The value of an import; null if nothing provides it.
interp::Extern::Ptr InterpRun::resolve(Unit &unit, size_t index) {
  if (auto [other, place] = findLinked(unit, unit.module.imports[index]); other)
    return store_.UnsafeGet<interp::Extern>(
        static_cast<const Unit *>(other)->instance->exports()[place]);
  const interp::ImportType &import = unit.code->import_types()[index];
  if (import.type->kind == interp::ExternKind::Func) {
    const auto &type = static_cast<const interp::FuncType &>(*import.type);
    std::string wanted = describeType(type);
    const wasm::HostCallInfo *info = wasm::findHostCall(import.module, import.name);
    if (info && wanted == typeLetters(*info))
      if (interp::Extern::Ptr made = makeHostCall(unit, info->call, type))
        return made;
    const HostFunction *function = GuestHost::find(import.module, import.name);
    if (function && function->type == wanted)
      return makeHostFunction(*function, type);
  } else if (import.module == "env" && import.type->kind == interp::ExternKind::Memory) {
    return interp::Memory::New(store_, static_cast<const interp::MemoryType &>(*import.type));
  } else if (import.module == "env" && import.type->kind == interp::ExternKind::Table) {
    return interp::Table::New(store_, static_cast<const interp::TableType &>(*import.type));
  }
  return interp::Extern::Ptr();
}

llvm::Error InterpRun::link(ProgramUnit &program) {
  Unit &unit = own(program);
  imports_.clear();
  std::vector<const wasm::Import *> missing;
  for (size_t i = 0; i < unit.module.imports.size(); ++i) {
    const interp::ImportType &import = unit.code->import_types()[i];
    interp::Extern::Ptr found = resolve(unit, i);
    if (!found) {
      missing.push_back(&unit.module.imports[i]);
      continue;
    }
    interp::Trap::Ptr trap;
    if (wabt::Failed(found->Match(store_, import, &trap)))
      return fileError(unit.path,
                       "import " + import.module + "." + import.name + ": " + trap->message());
    imports_.push_back(found->self());
    provided_.push_back(std::move(found));
  }
  return refuseImports(unit, missing);
}

void InterpRun::start(ProgramUnit &program) {
  Unit &unit = own(program);
  interp::Trap::Ptr trap;
  unit.instance = interp::Instance::Instantiate(store_, unit.code.ref(), imports_, &trap);
  if (!unit.instance)
    return end(trap ? trap->message() : "the module cannot be instantiated");
  followSwitch(&recording_);
  applySwitch();
  if (engineSamples()) {
    if (!engineSampler_)
      engineSampler_.emplace(request().sampling, *engineSamples());
    engineSampler_->add(unit);
  }
  interp::Values none;
  if (unit.startFunction)
    callFunction(*store_.UnsafeGet<interp::Func>(unit.instance->funcs()[*unit.startFunction]), {},
                 none);
  // WASI's has neither parameters nor results.
  if (auto initialize = unit.findFunction("_initialize"); !hasEnded() && initialize &&
                                                          initialize->type().params.empty() &&
                                                          initialize->type().results.empty())
    callFunction(*initialize, {}, none);
}

void InterpRun::applySwitch() {
  applied_ = __atomic_load_n(&recording_, __ATOMIC_ACQUIRE);
  for (const auto &unit : units())
    if (unit->indexOf(wasm::Counter::recording))
      unit->setCounter(wasm::Counter::recording, applied_);
}

void InterpRun::resume(const Frames &frames) {
  resumes_ = false;
  resumeCalls(stackOf(frames, units()));
  applySwitch();
}

void InterpRun::pause(const Frames &frames) {
  if (__atomic_load_n(&recording_, __ATOMIC_ACQUIRE) != applied_) {
    applySwitch();
    resumes_ = applied_ % 2 == 0;
  }
  lookForSamples(frames);
}

/// Takes a sample if one is due, or lets the modules ask for it at their next check.
void InterpRun::lookForSamples(const Frames &frames) {
  if (engineSampler_)
    return engineSampler_->look(frames);
  if (!isSampleOverdue())
    return;
  for (const auto &unit : units())
    if (unit->indexOf(wasm::Counter::sampleDue))
      unit->setCounter(wasm::Counter::sampleDue, 0);
}

void InterpRun::callFunction(interp::Func &function, const interp::Values &arguments,
                             interp::Values &results) {
  interp::Trap::Ptr trap;
  if (wabt::Succeeded(callWithPauses(store_, function, arguments, results, &trap,
                                     [this](const Frames &frames) { pause(frames); })))
    return;
  std::string message = trap ? trap->message() : "an uncaught exception";
  if (message == "call stack exhausted")
    message += "; engine interp has few frames, --engine=node has more";
  end(message, trap ? stackOf(framesOf(*trap), units()) : std::vector<TrapFrame>());
}

void InterpRun::call(const ExportedFunction &function, llvm::ArrayRef<uint64_t> arguments,
                     llvm::MutableArrayRef<uint64_t> results) {
  interp::Func::Ptr entry = own(app()).findFunction(function.name);
  interp::Values values, returned;
  for (size_t i = 0; i < arguments.size(); ++i)
    values.push_back(valueOf(function.parameters[i], arguments[i]));
  callFunction(*entry, values, returned);
  for (size_t i = 0; i < returned.size() && i < results.size(); ++i)
    results[i] = bitsOf(function.results[i], returned[i]);
}

class InterpEngine : public Engine {
public:
  Expected<RunResult> run(const RunRequest &request) override {
    // wabt allocates memories and tables of any size that the module asks for.
    try {
      return InterpRun(request).run();
    } catch (const std::bad_alloc &) {
      return makeError("engine interp ran out of memory");
    } catch (const std::exception &failure) {
      return makeError(Twine("engine interp failed: ") + failure.what());
    }
  }

  bool provides(wasm::HostCall) const override { return true; }
  bool hasTimer() const override { return true; }
  unsigned preference() const override { return 1; }
  unsigned samplerPreference() const override { return 1; }
};

warpo::Registry<Engine>::Add<InterpEngine>
    registration("interp", "wabt's interpreter, built in; slow, few frames");

} // namespace
