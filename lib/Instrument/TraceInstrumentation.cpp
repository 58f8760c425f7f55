//===- TraceInstrumentation.cpp - Trace points at entries and exits -------===//
// SPDX-License-Identifier: Apache-2.0
//
// Calls the host's `builtin.tracePoint`, of type (i32) -> (), with the function's id at its entry
// and with minus that id at every exit; in a module that counts fuel `builtin.tracePointFuel`, of
// type (i32, i64) -> (), with the fuel behind the id. Where a trap has ended a call, the id of
// traps stands before its end; twice where of several calls of the function the outermost has
// ended.
//
//===----------------------------------------------------------------------===//

#include "warpo/Instrument/Instrumentation.h"
#include "warpo/Support/SectionId.h"
#include "warpo/Wasm/OpcodeNames.h"

using namespace llvm;
using namespace warpo;
using namespace warpo::wasm::opcode_names;

namespace {

class TraceInstrumentation : public Instrumentation {
public:
  InstrumentationNeeds needs() const override {
    return {.functions = true, .exits = true, .entryLog = true, .stacks = true};
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

  void tellTrapped(wasm::CodeSequence &code, bool isOutermost) const override {
    for (int i = 0; i != (isOutermost ? 2 : 1); ++i) {
      code.i32Const(trapId);
      tell(code);
    }
    code.i32Const(0).localGet(0).raw("i32.sub"_op);
    tell(code);
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
