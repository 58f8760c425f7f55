//===- TraceInstrumentation.cpp - Trace points at entries and exits -------===//
//
// Calls the host's `builtin.tracePoint`, of type (i32) -> (), with the function's id at its entry
// and with minus that id at every exit; in a module that counts fuel `builtin.tracePointFuel`, of
// type (i32, i64) -> (), with the fuel behind the id.
//
//===----------------------------------------------------------------------===//

#include "warpo/Instrument/Instrumentation.h"

using namespace llvm;
using namespace warpo;

namespace {

class TraceInstrumentation : public Instrumentation {
public:
  InstrumentationNeeds needs(const InstrumentationSettings &) const override {
    return {.functions = true, .exits = true, .entryLog = true};
  }

  Error declare(ModuleDeclarations &declarations) override {
    fuel_ = declarations.fuel();
    tracePoint_ = declarations.importHostCall(fuel_ ? wasm::HostCall::tracePointFuel
                                                    : wasm::HostCall::tracePoint);
    return Error::success();
  }

  void instrument(const FunctionSite &site, wasm::FunctionEdit &edit) const override {
    tell(site.id, edit.entry);
    tell(-site.id, edit.exit);
  }

private:
  void tell(int32_t id, wasm::CodeSequence &code) const {
    code.i32Const(id);
    if (fuel_)
      code.globalGet(*fuel_);
    code.call(tracePoint_);
  }

  wasm::FunctionRef tracePoint_;
  std::optional<wasm::GlobalRef> fuel_;
};

warpo::Registry<Instrumentation>::Add<TraceInstrumentation>
    registration("trace", "a trace point at every entry and exit of a function");

} // namespace
