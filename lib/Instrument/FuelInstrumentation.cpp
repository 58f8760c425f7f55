//===- FuelInstrumentation.cpp - Counts instructions, and stops at a limit ---===//
//
// Counting itself is done once for all instrumentations that need it: see Instrumentation.h. `fuel`
// only asks for it; `fuel-limit` adds checks.
//
//===----------------------------------------------------------------------===//

#include "FuelCheck.h"

using namespace llvm;
using namespace warpo;

Error FuelCheck::declare(ModuleDeclarations &declarations, StringRef exportName) {
  fuel_ = *declarations.fuel();
  auto bound = declarations.addExportedCounter(exportName);
  if (!bound)
    return bound.takeError();
  bound_ = *bound;
  return Error::success();
}

enum : uint8_t {
  ifCode = 0x04,
  endCode = 0x0b,
  dropCode = 0x1a,
  emptyBlockType = 0x40,
  i64GeS = 0x59
};

void FuelCheck::appendCondition(wasm::CodeSequence &code) const {
  code.globalGet(fuel_).globalGet(bound_).raw({i64GeS, ifCode, emptyBlockType});
}

void FuelCheck::append(wasm::FunctionRef ask, wasm::CodeSequence &code) const {
  appendCondition(code);
  code.globalGet(fuel_).call(ask).globalSet(bound_).raw(endCode);
}

void FuelCheck::appendWithId(wasm::FunctionRef ask, int32_t id, wasm::CodeSequence &code) const {
  appendCondition(code);
  code.i32Const(id).globalGet(fuel_).call(ask).globalSet(bound_).raw({dropCode, endCode});
}

namespace {

class FuelInstrumentation : public Instrumentation {
public:
  InstrumentationNeeds needs(const InstrumentationSettings &) const override {
    return {.fuel = true};
  }
  Error declare(ModuleDeclarations &) override { return Error::success(); }
};

class FuelLimitInstrumentation : public Instrumentation {
public:
  InstrumentationNeeds needs(const InstrumentationSettings &) const override {
    return {.runs = true, .fuel = true};
  }
  Error declare(ModuleDeclarations &declarations) override {
    outOfFuel_ = declarations.importHostCall(wasm::HostCall::outOfFuel);
    return check_.declare(declarations, wasm::fuelLimitExport);
  }
  void instrumentRun(const wasm::RunSite &run, wasm::CodeSequence &code) const override {
    // A program that goes on must pass by an entry or the head of a loop.
    if (run.place != wasm::RunPlace::elsewhere)
      check_.append(outOfFuel_, code);
  }

private:
  FuelCheck check_;
  wasm::FunctionRef outOfFuel_;
};

warpo::Registry<Instrumentation>::Add<FuelInstrumentation>
    fuel("fuel", "a count of executed instructions, which trace points tell too");
warpo::Registry<Instrumentation>::Add<FuelLimitInstrumentation>
    fuelLimit("fuel-limit", "fuel, and a call of the host where a limit is reached");

} // namespace
