//===- SampleInstrumentation.cpp - Calls the host when a sample is due ----===//
// SPDX-License-Identifier: Apache-2.0
//
// Calls `builtin.sample`, of type (i64) -> (i64), with the fuel as soon as it has reached the bound
// that the last call returned. Checks are at entries and exits, where the stack is about to change,
// so that fuel is never attributed to another function's frame; and at heads of loops, where a
// function may stay for long.
//
// With --due=time nothing is counted: a timer of the host sets the bound to 0.
//
// Unless the stack comes from the engine, `builtin.enterFrame` and `builtin.leaveFrame`, of type
// (i32) -> (), get the ids of functions at entries and exits, after the checks. An engine's stack
// already includes the new function at its entry, so `builtin.sampleCaller` is called there. The
// function's id stands before that call; hosts read it from the code to identify functions of the
// engine's stack.
//
// With --stack=memory frames are reported when a sample is due: StackMemory.h. The check has the id
// there too.
//
//===----------------------------------------------------------------------===//

#include "FuelCheck.h"
#include "StackMemory.h"
#include "warpo/Support/Errors.h"
#include "warpo/Support/SectionId.h"

using namespace llvm;
using namespace warpo;

namespace {

constexpr InstrumentationOption::Value stacks[] = {{"shadow", "entries and exits, as they happen"},
                                                   {"memory", "the same, reported with samples"},
                                                   {"engine", "the engine's own stack"}};
constexpr InstrumentationOption::Value dues[] = {{"fuel", "by counted instructions"},
                                                 {"time", "by a timer of the host"}};
constexpr InstrumentationOption sampleOptions[] = {
    {"stack", "The source of stacks for samples (default: shadow)", stacks},
    {"due", "When samples are due (default: fuel)", dues}};

class SampleInstrumentation : public Instrumentation {
public:
  ArrayRef<InstrumentationOption> options() const override { return sampleOptions; }
  Error setOption(StringRef name, StringRef value) override {
    if (name == "due")
      isTimed_ = value == "time";
    else
      stack_ = value == "shadow"   ? Stack::reported
               : value == "memory" ? Stack::kept
                                   : Stack::engines;
    return Error::success();
  }

  InstrumentationNeeds needs() const override {
    // An engine knows which functions an exception leaves.
    bool reportsStack = stack_ != Stack::engines;
    return {.functions = true,
            .exits = reportsStack,
            .frames = reportsStack,
            .runs = true,
            .fuel = !isTimed_,
            .waysOut = stack_ == Stack::kept,
            .variables = stack_ == Stack::kept};
  }

  Error declare(ModuleDeclarations &declarations) override {
    sample_ = declarations.importHostCall(wasm::HostCall::sample);
    if (stack_ == Stack::kept) {
      if (Error error = kept_.declare(declarations, "--stack=shadow"))
        return error;
      sample_ = kept_.addSample(declarations, sample_);
    } else if (stack_ == Stack::reported) {
      enterFrame_ = declarations.importHostCall(wasm::HostCall::enterFrame);
      leaveFrame_ = declarations.importHostCall(wasm::HostCall::leaveFrame);
    } else {
      sampleCaller_ = declarations.importHostCall(wasm::HostCall::sampleCaller);
    }
    if (!isTimed_)
      return check_.declare(declarations, wasm::Counter::sampleDue);
    // Hosts assume that samples are due by fuel in a module that counts fuel.
    if (declarations.fuel())
      return makeError(
          "--due=time is for modules that count no fuel, but another instrumentation counts it");
    return check_.declareTimed(declarations, wasm::Counter::sampleDue);
  }

  void instrument(const FunctionSite &site, wasm::FunctionEdit &edit) const override {
    check_.append(sample_, edit.exit);
    if (stack_ == Stack::engines) {
      check_.appendWithId(sampleCaller_, site.id, edit.entry);
      return;
    }
    if (stack_ == Stack::kept) {
      check_.appendWithId(sample_, site.id, edit.entry);
      kept_.instrument(site, edit);
      return;
    }
    check_.append(sample_, edit.entry);
    site.pushCallId(edit.entry);
    edit.entry.call(enterFrame_);
    site.pushCallId(edit.exit);
    edit.exit.call(leaveFrame_);
  }

  // In the form of trace points. Leaving a frame also leaves all frames within it.
  void reportTrapped(wasm::CodeSequence &code, bool isOutermost) const override {
    if (stack_ == Stack::kept)
      kept_.reportTrapped(code, isOutermost);
    if (stack_ != Stack::reported)
      return;
    for (int i = 0; i != (isOutermost ? 2 : 1); ++i)
      code.i32Const(trapId).call(enterFrame_);
    code.localGet(0).call(leaveFrame_);
  }

  void instrumentWayOut(wasm::CodeSequence &code) const override {
    if (stack_ == Stack::kept)
      kept_.report(code);
  }

  void instrumentRun(const wasm::RunSite &run, wasm::CodeSequence &code) const override {
    if (run.place == wasm::RunPlace::loopHead)
      check_.append(sample_, code);
  }

private:
  FuelCheck check_;
  bool isTimed_ = false;
  /// Frames are reported to the host at entries and exits, kept and reported later, or the
  /// engine's.
  enum class Stack { reported, kept, engines } stack_ = Stack::reported;
  StackMemory kept_;
  wasm::FunctionRef sample_;
  wasm::FunctionRef sampleCaller_;
  wasm::FunctionRef enterFrame_;
  wasm::FunctionRef leaveFrame_;
};

warpo::Registry<Instrumentation>::Add<SampleInstrumentation>
    registration("sample", "fuel, and a call of the host when a sample is due");

} // namespace
