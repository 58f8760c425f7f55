//===- FuelInstrumentation.cpp - Counts instructions, and stops at a limit ---===//
//
// Counting itself is done once for all instrumentations that need it: see Instrumentation.h. `fuel`
// only asks for it; `fuel-limit` adds checks.
//
//===----------------------------------------------------------------------===//

#include "FuelCheck.h"

using namespace llvm;
using namespace warpo;

Error FuelCheck::declare(ModuleDeclarations &declarations, StringRef exportName,
                         wasm::HostCall call) {
  fuel_ = *declarations.fuel();
  call_ = declarations.importHostCall(call);
  auto bound = declarations.addExportedCounter(exportName);
  if (!bound)
    return bound.takeError();
  bound_ = *bound;
  return Error::success();
}

void FuelCheck::append(wasm::CodeSequence &code) const {
  enum : uint8_t { ifCode = 0x04, emptyBlockType = 0x40, endCode = 0x0b, i64GeS = 0x59 };
  code.globalGet(fuel_).globalGet(bound_).raw({i64GeS, ifCode, emptyBlockType});
  code.globalGet(fuel_).call(call_).globalSet(bound_).raw(endCode);
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
    return check_.declare(declarations, wasm::fuelLimitExport, wasm::HostCall::outOfFuel);
  }
  void instrumentRun(const wasm::RunSite &run, wasm::CodeSequence &code) const override {
    check_.appendAt(run, code);
  }

private:
  FuelCheck check_;
};

warpo::Registry<Instrumentation>::Add<FuelInstrumentation>
    fuel("fuel", "a count of executed instructions, which trace points tell too");
warpo::Registry<Instrumentation>::Add<FuelLimitInstrumentation>
    fuelLimit("fuel-limit", "fuel, and a call of the host where a limit is reached");

} // namespace
