//===- ProgramUnit.cpp ----------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Engine/ProgramUnit.h"

using namespace llvm;
using namespace warpo;
using wasm::HostCall;

ProgramUnit::~ProgramUnit() = default;

void ProgramUnit::add(HostCall call) {
  bool isTracePoint = call == HostCall::tracePoint || call == HostCall::tracePointFuel;
  // If the program reports its frames, there is no difference between the two.
  bool isSample = call == HostCall::sample || call == HostCall::sampleCaller;
  bool isSection = call == HostCall::beginSection || call == HostCall::endSection;
  instrumented |= isTracePoint || isSample || isSection || call == HostCall::heap;
  traces |= isTracePoint;
  countsFuel |= call == HostCall::tracePointFuel;
  keepsStack |= call == HostCall::enterFrame;
  samples |= isSample;
  reportsHeap |= call == HostCall::heap;
  hasSections |= isSection;
}

void ProgramUnit::findCounters() {
  for (const wasm::CounterInfo &info : wasm::counters())
    counters_[size_t(info.counter)] = wasm::findCounter(module, info.counter);
  countsFuel |= hasSectionsOnly() && indexOf(wasm::Counter::fuel);
}

std::optional<uint64_t> ProgramUnit::counter(wasm::Counter) const { return std::nullopt; }
uint64_t ProgramUnit::recordedFuel() const {
  uint64_t fuel = counter(wasm::Counter::fuel).value_or(0);
  return stack ? warpo_stack_fuel(stack, fuel) : fuel;
}

void ProgramUnit::setCounter(wasm::Counter, uint64_t) {}

std::vector<FunctionName> ProgramUnit::functionNames() const { return tracedNames(module.bytes); }
