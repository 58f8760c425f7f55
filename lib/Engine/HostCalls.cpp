//===- HostCalls.cpp ------------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Engine/HostCalls.h"
#include "warpo/Support/Errors.h"
#include "warpo/Wasm/Counters.h"
#include "warpo/Wasm/FuelCosts.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include <utility>

using namespace llvm;
using namespace warpo;

void ProgramHostCalls::add(ArrayRef<wasm::HostCall> calls, const std::string &shown) {
  using wasm::HostCall;
  bool isSampled = false, keepsStack = false, reportsHeap = false;
  for (HostCall call : calls) {
    asks_.push_back({call, shown});
    reportsHeap |= call == HostCall::heap;
    keepsStack |= call == HostCall::tracePoint || call == HostCall::tracePointFuel ||
                  call == HostCall::enterFrame;
    isSampled |= call == HostCall::sample || call == HostCall::sampleCaller;
  }
  std::optional<std::string> &first = keepsStack ? sampledWithStack_ : sampledWithoutStack_;
  if (isSampled && !first)
    first = shown;
  if (reportsHeap && !is_contained(calls, HostCall::enterFrame) && !heapWithoutStack_)
    heapWithoutStack_ = shown;
}

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
  std::vector<wasm::HostCall> calls;
  for (const wasm::Import &import : module->imports)
    if (const wasm::HostCallInfo *info = wasm::findHostCall(import.module, import.name))
      calls.push_back(info->call);
  add(calls, file.shown);
  if (!sampledByTime_ && findCounter(*module, wasm::Counter::sampleDue) &&
      !findCounter(*module, wasm::Counter::fuel))
    sampledByTime_ = file.shown;
  bool hasTracePoints = is_contained(calls, wasm::HostCall::tracePoint) ||
                        is_contained(calls, wasm::HostCall::tracePointFuel);
  auto artifacts = wasm::findArtifacts(*module);
  if (!artifacts)
    return artifacts.takeError();
  for (wasm::Artifact &artifact : *artifacts)
    if (!hasTracePoints || !artifact.isRecord())
      artifacts_.push_back({std::move(artifact), file.shown});
  auto costs = wasm::readFuelCostsName(bytes, file.shown);
  if (!costs)
    return costs.takeError();
  if (!*costs)
    return Error::success();
  std::string name = **costs == "1" ? "" : **costs;
  if (countsFuel_ && name != fuelCosts_)
    return fileError(file.shown, "it counts fuel with other costs than the modules before it");
  countsFuel_ = true;
  fuelCosts_ = name;
  return Error::success();
}

Expected<ProgramHostCalls> ProgramHostCalls::read(ArrayRef<ModuleFile> modules,
                                                  const Engine &engine) {
  ProgramHostCalls calls;
  for (const ModuleFile &module : modules) {
    auto known = engine.hostCallsOf(module.path);
    if (!known)
      return known.takeError();
    if (*known)
      calls.add(**known, module.shown);
    else if (Error error = calls.add(module))
      return error;
  }
  return calls;
}

std::optional<StringRef> ProgramHostCalls::askedBy(wasm::HostCall call) const {
  for (const Ask &ask : asks_)
    if (ask.call == call)
      return StringRef(ask.module);
  return std::nullopt;
}

bool ProgramHostCalls::isRecorded() const {
  using wasm::HostCall;
  return sampledModule() || any_of(asks_, [](const Ask &ask) {
           return is_contained({HostCall::tracePoint, HostCall::tracePointFuel, HostCall::heap,
                                HostCall::beginSection, HostCall::endSection},
                               ask.call);
         });
}

std::optional<StringRef> ProgramHostCalls::instrumentedModule() const {
  for (const Ask &ask : asks_)
    if (ask.call != wasm::HostCall::beginSection && ask.call != wasm::HostCall::endSection)
      return StringRef(ask.module);
  return artifacts_.empty() ? std::nullopt : std::optional<StringRef>(artifacts_.front().module);
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
                                                "with --stack=shadow, or use --engine=node");
  if (heapWithoutStack_ && !engine.hasStacks())
    return fileError(*heapWithoutStack_, "engine " + name +
                                             " has no stacks for its heap events; instrument it "
                                             "with --heap-stack=contexts, or use --engine=node");
  if (sampledByTime_ && !engine.hasTimer())
    return fileError(*sampledByTime_,
                     "engine " + name +
                         " has no timer for its samples (--due=time); use --engine=native or "
                         "--engine=interp, or --sample with the original module");
  return Error::success();
}
