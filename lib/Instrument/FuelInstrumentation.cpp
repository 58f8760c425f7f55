//===- FuelInstrumentation.cpp - Counts and limits instructions -----------===//
// SPDX-License-Identifier: Apache-2.0
//
// Counting itself is done once for all instrumentations that need it: see Instrumentation.h. `fuel`
// only requests it; `fuel-limit` adds checks.
//
//===----------------------------------------------------------------------===//

#include "FuelCheck.h"
#include "warpo/Wasm/OpcodeNames.h"

using namespace llvm;
using namespace warpo;
using namespace warpo::wasm::opcode_names;

Error FuelCheck::declare(ModuleDeclarations &declarations, wasm::Counter bound) {
  fuel_ = *declarations.fuel();
  auto global = declarations.addCounter(bound);
  if (!global)
    return global.takeError();
  bound_ = *global;
  return Error::success();
}

// The value passed as fuel is the bound itself, which is 0 when a sample is due.
Error FuelCheck::declareTimed(ModuleDeclarations &declarations, wasm::Counter bound) {
  auto global = declarations.addCounter(bound);
  if (!global)
    return global.takeError();
  fuel_ = bound_ = *global;
  isTimed_ = true;
  return Error::success();
}

void FuelCheck::appendCondition(wasm::CodeSequence &code) const {
  if (isTimed_)
    code.globalGet(bound_).raw({"i64.eqz"_op, "if"_op, wasm::emptyBlockType});
  else
    code.globalGet(fuel_).globalGet(bound_).raw({"i64.ge_s"_op, "if"_op, wasm::emptyBlockType});
}

void FuelCheck::append(wasm::FunctionRef ask, wasm::CodeSequence &code) const {
  appendCondition(code);
  code.globalGet(fuel_).call(ask).globalSet(bound_).raw("end"_op);
}

void FuelCheck::appendWithId(wasm::FunctionRef ask, int32_t id, wasm::CodeSequence &code) const {
  appendCondition(code);
  code.i32Const(id).globalGet(fuel_).call(ask).globalSet(bound_).raw({"drop"_op, "end"_op});
}

namespace {

class FuelInstrumentation : public Instrumentation {
public:
  InstrumentationNeeds needs() const override { return {.fuel = true}; }
  Error declare(ModuleDeclarations &) override { return Error::success(); }
};

class FuelLimitInstrumentation : public Instrumentation {
public:
  InstrumentationNeeds needs() const override { return {.runs = true, .fuel = true}; }
  Error declare(ModuleDeclarations &declarations) override {
    outOfFuel_ = declarations.importHostCall(wasm::HostCall::outOfFuel);
    return check_.declare(declarations, wasm::Counter::fuelLimit);
  }
  void instrumentRun(const wasm::RunSite &run, wasm::CodeSequence &code) const override {
    // A program that keeps running passes an entry or the head of a loop.
    if (run.place != wasm::RunPlace::elsewhere)
      check_.append(outOfFuel_, code);
  }

private:
  FuelCheck check_;
  wasm::FunctionRef outOfFuel_;
};

warpo::Registry<Instrumentation>::Add<FuelInstrumentation>
    fuel("fuel", "counts executed instructions; trace points report the count");
warpo::Registry<Instrumentation>::Add<FuelLimitInstrumentation>
    fuelLimit("fuel-limit", "fuel, and a call of the host when a limit is reached");

} // namespace
