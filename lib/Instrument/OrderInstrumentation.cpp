//===- OrderInstrumentation.cpp - Reports first executions ----------------===//
// SPDX-License-Identifier: Apache-2.0
//
// An entry tests whether the function has run before: one load and one branch. Only the first
// execution does more: it is stored, and reported to the host as a call that ends at once, by
// ordinary trace points, so that every engine, recorder and tool can be used.
//
// For engines without that import, the module itself keeps the order for its host to fetch:
// docs/order.md.
//
//===----------------------------------------------------------------------===//

#include "OrderStore.h"
#include "warpo/Support/Errors.h"

using namespace llvm;
using namespace warpo;

namespace {

/// The most ids that a memory logs.
constexpr uint32_t maxBuffer = 1 << 28;

constexpr StringLiteral memoryOption = "order-memory", bufferOption = "order-buffer";
constexpr InstrumentationOption::Value memories[] = {{"globals", "in globals"},
                                                     {"export", "where hosts can fetch it"}};
constexpr InstrumentationOption orderOptions[] = {
    {memoryOption, "Where 'order' keeps what has run (default: globals)", memories},
    {bufferOption, "For 'order': log the last N first executions in the module", {}, "N"},
};

class OrderInstrumentation : public Instrumentation {
public:
  ArrayRef<InstrumentationOption> options() const override { return orderOptions; }
  Error setOption(StringRef name, StringRef value) override;
  InstrumentationNeeds needs() const override { return {.functions = true, .entryLog = true}; }

  Error declare(ModuleDeclarations &declarations) override;
  void instrument(const FunctionSite &site, wasm::FunctionEdit &edit) const override;

private:
  std::unique_ptr<OrderStore> makeStore(const ModuleFacts &module) const;
  wasm::CodeSequence report(int32_t id) const;

  /// Whether hosts can fetch first executions: from an added memory or, if that would be a second
  /// one, from globals. By default, if there is a buffer.
  std::optional<bool> isExported_;
  /// How many first executions the memory logs. By default they are reported to the host instead.
  std::optional<uint32_t> capacity_;
  std::unique_ptr<OrderStore> store_;
  /// Nothing if first executions are not reported to the host.
  std::optional<wasm::FunctionRef> tracePoint_;
  std::optional<wasm::GlobalRef> fuel_;
};

} // namespace

Error OrderInstrumentation::setOption(StringRef name, StringRef value) {
  if (name == memoryOption) {
    isExported_ = value == "export";
    return Error::success();
  }
  uint64_t capacity;
  if (value.getAsInteger(10, capacity))
    return makeError("--order-buffer takes a number, not '" + value + "'");
  if (capacity == 0)
    return makeError("--order-buffer=0 has no room for any function");
  if (capacity > maxBuffer)
    return makeError("--order-buffer=" + Twine(capacity) + " is more than " + Twine(maxBuffer));
  capacity_ = uint32_t(capacity);
  return Error::success();
}

// Most engines do not take a second memory, unless the module itself has several.
std::unique_ptr<OrderStore> OrderInstrumentation::makeStore(const ModuleFacts &module) const {
  bool isExported = isExported_.value_or(capacity_.has_value());
  if (isExported && module.memories != 1)
    return makeOrderMemory(capacity_.value_or(0));
  return isExported || capacity_ ? makeOrderRanks() : makeOrderBits();
}

Error OrderInstrumentation::declare(ModuleDeclarations &declarations) {
  if (!capacity_) {
    fuel_ = declarations.fuel();
    tracePoint_ = declarations.importHostCall(fuel_ ? wasm::HostCall::tracePointFuel
                                                    : wasm::HostCall::tracePoint);
  }
  store_ = makeStore(declarations.module());
  return store_->declare(declarations);
}

wasm::CodeSequence OrderInstrumentation::report(int32_t id) const {
  wasm::CodeSequence code;
  if (!tracePoint_)
    return code;
  for (int32_t point : {id, -id}) {
    code.i32Const(point);
    if (fuel_)
      code.globalGet(*fuel_);
    code.call(*tracePoint_);
  }
  return code;
}

void OrderInstrumentation::instrument(const FunctionSite &site, wasm::FunctionEdit &edit) const {
  store_->instrument(site, report(site.id), edit);
}

static warpo::Registry<Instrumentation>::Add<OrderInstrumentation>
    registration("order", "a trace point at the first execution of each function");
