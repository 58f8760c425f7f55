//===- CountsInstrumentation.cpp - How often every part of the code runs ---===//
// SPDX-License-Identifier: Apache-2.0
//
// A global for each straight run that needs a counter (CounterPlan.h). Nothing is told the host,
// which fetches the counters when the program has ended.
//
//===----------------------------------------------------------------------===//

#include "warpo/Counts/CountFile.h"
#include "warpo/Instrument/Instrumentation.h"
#include "warpo/Support/Errors.h"
#include "warpo/Wasm/OpcodeNames.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace warpo;
using namespace warpo::wasm::opcode_names;

namespace {

/// V8 takes a million globals; the module's own, and those of other instrumentations, are among
/// them.
constexpr uint64_t maxGlobals = 900'000;
constexpr StringLiteral readerExport = "__warpo_counter";

constexpr InstrumentationOption::Value choices[] = {{"tree", "runs from which others follow"},
                                                    {"all", "every run; traps do no harm"}};
constexpr InstrumentationOption countsOptions[] = {
    {"counters", "What 'counts' counts (default: tree)", choices}};

class CountsInstrumentation : public Instrumentation {
public:
  ArrayRef<InstrumentationOption> options() const override { return countsOptions; }
  Error setOption(StringRef, StringRef value) override {
    choice_ = value == "all" ? CounterChoice::all : CounterChoice::tree;
    return Error::success();
  }
  InstrumentationNeeds needs() const override { return {.code = true}; }
  Error declare(ModuleDeclarations &declarations) override;
  void instrumentCode(uint32_t function,
                      std::vector<wasm::CodeInsertion> &insertions) const override;

private:
  wasm::CodeSequence count(const FlowBranch *branch, const PlannedCounter &counter,
                           wasm::GlobalRef global) const;

  CounterChoice choice_ = CounterChoice::tree;
  const wasm::Module *module_ = nullptr;
  CounterPlan plan_;
  std::vector<wasm::GlobalRef> counters_;
  /// Where the operand of a `br_table` waits.
  wasm::GlobalRef operand_;
};

} // namespace

Error CountsInstrumentation::declare(ModuleDeclarations &declarations) {
  module_ = declarations.module().original;
  auto plan = planCounters(*module_, choice_);
  if (!plan)
    return plan.takeError();
  plan_ = std::move(*plan);
  if (plan_.counters > maxGlobals || module_->globalCount > maxGlobals - plan_.counters)
    return fileError(module_->fileName, countOf(plan_.counters, "counter") + " beside the " +
                                            countOf(module_->globalCount, "global") +
                                            " of the module are more than " + Twine(maxGlobals) +
                                            ", and engines take a million");
  operand_ = declarations.addGlobal(wasm::ValueType::i32, true, 0);
  for (uint32_t i = 0; i != plan_.counters; ++i)
    counters_.push_back(declarations.addGlobal(wasm::ValueType::i64, true, 0));
  if (Error error = declarations.addExportedNumbers(readerExport, wasm::ValueType::i64, counters_))
    return error;
  CountData data;
  data.moduleHash = wasm::ModuleIdentity::ofOriginal(module_->bytes).originalHash;
  data.choice = choice_;
  data.fingerprint = plan_.fingerprint;
  data.instances = 1;
  wasm::Artifact artifact;
  artifact.format = countFileFormat.str();
  artifact.extension = countFileExtension.str();
  artifact.description = "how often everything was executed";
  artifact.head = encodeCountHead(data, plan_.counters);
  artifact.access = wasm::Artifact::Access::function;
  artifact.exports = {readerExport.str()};
  artifact.type = wasm::ValueType::i64;
  artifact.count = plan_.counters;
  declarations.addArtifact(std::move(artifact));
  return Error::success();
}

// Adds 1 or, for an arm of a table, whether the operand, which is on the stack, chooses it.
wasm::CodeSequence CountsInstrumentation::count(const FlowBranch *branch,
                                                const PlannedCounter &counter,
                                                wasm::GlobalRef global) const {
  wasm::CodeSequence code;
  if (!branch) {
    code.globalGet(global).i64Const(1).raw("i64.add"_op).globalSet(global);
    return code;
  }
  code.globalSet(operand_).globalGet(operand_).globalGet(global);
  auto last = uint32_t(branch->armOfLabel.size() - 1);
  bool isFirst = true;
  for (auto [label, arm] : enumerate(branch->armOfLabel)) {
    if (arm != counter.arm)
      continue;
    code.globalGet(operand_).i32Const(int32_t(label));
    code.raw(label == last ? "i32.ge_u"_op : "i32.eq"_op);
    if (!isFirst)
      code.raw("i32.or"_op);
    isFirst = false;
  }
  code.raw({"i64.extend_i32_u"_op, "i64.add"_op}).globalSet(global);
  return code;
}

void CountsInstrumentation::instrumentCode(uint32_t function,
                                           std::vector<wasm::CodeInsertion> &insertions) const {
  uint32_t number = function - module_->importedFunctionCount();
  const CounterPlan::Function &plan = plan_.functions[number];
  bool countsArms = llvm::any_of(
      plan.counters, [](const PlannedCounter &counter) { return !counter.countsRun(); });
  std::vector<FlowBranch> branches;
  if (countsArms) {
    wasm::FuelCosts costs;
    FlowGraphFinder finder(costs, choice_ == CounterChoice::all);
    branches = cantFail(finder.find(module_->bodies[number], module_->fileName)).branches;
  }
  for (auto [i, counter] : enumerate(plan.counters))
    insertions.push_back(
        {counter.offset, count(counter.countsRun() ? nullptr : &branches[counter.subject], counter,
                               counters_[plan.first + i])});
}

static warpo::Registry<Instrumentation>::Add<CountsInstrumentation>
    registration("counts", "how often every part of the code runs: exact, without events");
