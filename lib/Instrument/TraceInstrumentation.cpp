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
    site.pushCallId(edit.entry);
    tell(edit.entry);
    site.pushNegatedCallId(edit.exit);
    tell(edit.exit);
  }

private:
  // The id is on the stack.
  void tell(wasm::CodeSequence &code) const {
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
