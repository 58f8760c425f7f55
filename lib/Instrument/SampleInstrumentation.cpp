//===- SampleInstrumentation.cpp - Calls the host when a sample is due ----===//
//
// Calls `builtin.sample`, of type (i64) -> (i64), with the fuel where that has reached the point
// that the last call gave. Unless the stack comes from the engine, `builtin.enterFrame` and
// `builtin.leaveFrame`, of type (i32) -> (), are told the ids of functions at entries and exits.
//
//===----------------------------------------------------------------------===//

#include "FuelCheck.h"

using namespace llvm;
using namespace warpo;

namespace {

class SampleInstrumentation : public Instrumentation {
public:
  InstrumentationNeeds needs(const InstrumentationSettings &settings) const override {
    bool tellsFrames = settings.sampleStack == SampleStack::shadow;
    return {.functions = tellsFrames, .exits = tellsFrames, .runs = true, .fuel = true};
  }

  Error declare(ModuleDeclarations &declarations) override {
    hasShadowStack_ = declarations.settings().sampleStack == SampleStack::shadow;
    if (hasShadowStack_) {
      enterFrame_ = declarations.importHostCall(wasm::HostCall::enterFrame);
      leaveFrame_ = declarations.importHostCall(wasm::HostCall::leaveFrame);
    }
    return check_.declare(declarations, wasm::sampleDueExport, wasm::HostCall::sample);
  }

  void instrument(const FunctionSite &site, wasm::FunctionEdit &edit) const override {
    if (!hasShadowStack_)
      return;
    edit.entry.i32Const(site.id).call(enterFrame_);
    edit.exit.i32Const(site.id).call(leaveFrame_);
  }

  void instrumentRun(const wasm::RunSite &run, wasm::CodeSequence &code) const override {
    check_.appendAt(run, code);
  }

private:
  FuelCheck check_;
  bool hasShadowStack_ = false;
  wasm::FunctionRef enterFrame_;
  wasm::FunctionRef leaveFrame_;
};

warpo::Registry<Instrumentation>::Add<SampleInstrumentation>
    registration("sample", "fuel, and a call of the host where a sample is due");

} // namespace
