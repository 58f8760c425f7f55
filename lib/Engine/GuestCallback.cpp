//===- GuestCallback.cpp - Calls of readers of guests' stacks -------------===//
// SPDX-License-Identifier: Apache-2.0

#include "warpo/Engine/ProgramRun.h"
#include "warpo/Support/Errors.h"

using namespace llvm;
using namespace warpo;

GuestCallback::GuestCallback(ProgramRun &run) : run_(run) {
  const std::pair<wasm::Counter, uint64_t> meanwhile[] = {
      {wasm::Counter::fuel, 0},
      {wasm::Counter::fuelLimit, INT64_MAX},
      {wasm::Counter::sampleDue, mostFuel},
  };
  for (const auto &unit : run.units_)
    for (const auto &[counter, value] : meanwhile)
      if (auto before = unit->counter(counter)) {
        saved_.push_back({unit.get(), counter, *before});
        unit->setCounter(counter, value);
      }
  run.ignoresEvents_ = true;
  run.callbackEnd_ = std::chrono::steady_clock::now() + mostTime;
}

GuestCallback::~GuestCallback() {
  run_.ignoresEvents_ = false;
  for (const Saved &saved : saved_)
    saved.unit->setCounter(saved.counter, saved.value);
}

void GuestCallback::look() {
  if (std::chrono::steady_clock::now() < run_.callbackEnd_)
    return;
  for (const Saved &saved : saved_)
    if (saved.counter == wasm::Counter::sampleDue)
      saved.unit->setCounter(saved.counter, 0);
}

Expected<uint64_t> GuestCallback::end(std::optional<std::string> trapMessage, uint64_t result) {
  std::optional<GuestEnd> end = std::exchange(run_.hostEnd_, std::nullopt);
  if (end && end->exitCode)
    return makeError("it ended with exit code " + Twine(*end->exitCode));
  if (trapMessage)
    return makeError("it trapped: " + (end ? end->message : *trapMessage));
  return result;
}
