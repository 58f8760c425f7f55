//===- HostCalls.cpp ------------------------------------------------------===//

#include "warpo/Engine/HostCalls.h"
#include "warpo/Support/Errors.h"
#include "warpo/Wasm/FuelCosts.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include <utility>

using namespace llvm;
using namespace warpo;

Error ProgramHostCalls::add(const ModuleFile &file) {
  auto buffer = MemoryBuffer::getFile(file.path, /*IsText=*/false,
                                      /*RequiresNullTerminator=*/false);
  if (!buffer)
    return Error::success();
  ArrayRef<uint8_t> bytes = arrayRefFromStringRef((*buffer)->getBuffer());
  auto module = wasm::readModule(bytes, file.shown);
  if (!module) {
    consumeError(module.takeError());
    return Error::success();
  }
  bool isTold = false, isSampled = false, keepsStack = false;
  for (const wasm::Import &import : module->imports)
    if (const wasm::HostCallInfo *info = wasm::findHostCall(import.module, import.name)) {
      using wasm::HostCall;
      asks_.push_back({info->call, file.shown});
      isTold |= info->call == HostCall::tracePoint || info->call == HostCall::tracePointFuel;
      keepsStack |= isTold || info->call == HostCall::enterFrame;
      isSampled |= info->call == HostCall::sample || info->call == HostCall::sampleCaller;
    }
  if (isSampled) {
    std::optional<std::string> &first = keepsStack ? sampledWithStack_ : sampledWithoutStack_;
    first = first.value_or(file.shown);
  }
  // With trace points the memory tells nothing that they do not.
  bool hasMemory = llvm::any_of(module->exports, [](const wasm::Export &exported) {
    return exported.kind == wasm::ExternalKind::memory && exported.name == wasm::orderDumpExport;
  });
  if (hasMemory && !logsInMemory_ && !isTold)
    logsInMemory_ = file.shown;
  auto costs = wasm::readFuelCostsName(bytes, file.shown);
  if (!costs)
    return costs.takeError();
  if (!*costs)
    return Error::success();
  std::string name = **costs == "1" ? "" : **costs;
  if (countsFuel_ && name != fuelCosts_)
    return fileError(file.shown, "it counts fuel by other costs than the modules before it");
  countsFuel_ = true;
  fuelCosts_ = name;
  return Error::success();
}

Expected<ProgramHostCalls> ProgramHostCalls::read(ArrayRef<ModuleFile> modules) {
  ProgramHostCalls calls;
  for (const ModuleFile &module : modules)
    if (Error error = calls.add(module))
      return error;
  return calls;
}

std::optional<StringRef> ProgramHostCalls::askedBy(wasm::HostCall call) const {
  for (const Ask &ask : asks_)
    if (ask.call == call)
      return StringRef(ask.module);
  return std::nullopt;
}

std::optional<StringRef> ProgramHostCalls::sampledModule() const {
  auto samples = askedBy(wasm::HostCall::sample);
  return samples ? samples : askedBy(wasm::HostCall::sampleCaller);
}

Error ProgramHostCalls::check(const Engine &engine, StringRef name) const {
  for (const Ask &ask : asks_)
    if (!engine.provides(ask.call))
      return fileError(ask.module, "engine " + name + " does not provide " + wasm::hostModule +
                                       "." + wasm::hostCallInfo(ask.call).name +
                                       ", which the module was instrumented to call");
  if (sampledWithoutStack_ && sampledWithStack_)
    return fileError(*sampledWithoutStack_,
                     "its samples have the engine's stacks, and those of " + *sampledWithStack_ +
                         " their own; instrument all modules with the same --stack");
  if (sampledWithoutStack_ && !engine.hasStacks())
    return fileError(*sampledWithoutStack_, "engine " + name +
                                                " has no stacks for its samples; instrument it "
                                                "with --stack=shadow, or take --engine=node");
  return Error::success();
}
