//===- TraceInstrumentation.cpp - Trace points at entries and exits -------===//
//
// Calls the host's `builtin.tracePoint`, of type (i32) -> (), with the function's id at its entry
// and with minus that id at every exit.
//
//===----------------------------------------------------------------------===//

#include "warpo/Instrument/Instrumentation.h"

using namespace llvm;
using namespace warpo;

namespace {

class TraceInstrumentation : public Instrumentation {
public:
  Error declare(ModuleDeclarations &declarations) override {
    tracePoint_ = declarations.importFunction("builtin", "tracePoint", wasm::ValueType::i32, {});
    return Error::success();
  }

  void instrument(const FunctionSite &site, wasm::FunctionEdit &edit) const override {
    edit.entry.i32Const(site.id).call(tracePoint_);
    edit.exit.i32Const(-site.id).call(tracePoint_);
  }

private:
  wasm::FunctionRef tracePoint_;
};

warpo::Registry<Instrumentation>::Add<TraceInstrumentation>
    registration("trace", "a trace point at every entry and exit of a function");

} // namespace
