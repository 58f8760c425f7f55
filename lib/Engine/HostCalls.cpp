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
  bool countsFuel = false, isTold = false, hasSections = false;
  for (const wasm::Import &import : module->imports)
    if (const wasm::HostCallInfo *info = wasm::findHostCall(import.module, import.name)) {
      asks_.push_back({info->call, file.shown});
      isTold |=
          info->call == wasm::HostCall::tracePoint || info->call == wasm::HostCall::tracePointFuel;
      countsFuel |= info->call == wasm::HostCall::tracePointFuel;
      hasSections |= info->call == wasm::HostCall::beginSection;
    }
  countsFuel |= hasSections && llvm::any_of(module->exports, [](const wasm::Export &exported) {
                  return exported.name == wasm::fuelExport;
                });
  // With trace points the memory tells nothing that they do not.
  bool hasMemory = llvm::any_of(module->exports, [](const wasm::Export &exported) {
    return exported.kind == wasm::ExternalKind::memory && exported.name == wasm::orderDumpExport;
  });
  if (hasMemory && !logsInMemory_ && !isTold)
    logsInMemory_ = file.shown;
  if (!countsFuel)
    return Error::success();
  auto costs = wasm::readFuelCostsName(bytes, file.shown);
  if (!costs)
    return costs.takeError();
  std::string name = costs->value_or("1") == "1" ? "" : **costs;
  if (std::exchange(countsFuel_, true) && name != fuelCosts_)
    return fileError(file.shown, "it counts fuel by other costs than the modules before it");
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
  using wasm::HostCall;
  bool keepsStack = askedBy(HostCall::enterFrame) || askedBy(HostCall::tracePoint) ||
                    askedBy(HostCall::tracePointFuel);
  if (auto samples = sampledModule(); samples && !keepsStack && !engine.hasStacks())
    return fileError(*samples, "engine " + name +
                                   " has no stacks for its samples; instrument it "
                                   "with --stack=shadow, or take --engine=node");
  return Error::success();
}
