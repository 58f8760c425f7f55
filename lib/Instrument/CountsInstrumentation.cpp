//===- CountsInstrumentation.cpp - Counts all executed code ---------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Adds a counter for each straight run that needs one (CounterPlan.h). Nothing is reported to the
// host, which fetches the counters when the program has ended.
//
//===----------------------------------------------------------------------===//

#include "CounterStore.h"
#include "warpo/Counts/CountFile.h"
#include "warpo/Support/ByteWriter.h"
#include "warpo/Wasm/CountArtifacts.h"
#include "warpo/Wasm/OpcodeNames.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace warpo;
using namespace warpo::wasm::opcode_names;

namespace {

/// This export traps, so that a host can find out the module's name in its engine's stack traces.
constexpr StringLiteral trapExport = "__warpo_trap";

constexpr InstrumentationOption::Value choices[] = {{"tree", "runs from which the others follow"},
                                                    {"all", "every run; unaffected by traps"}};
constexpr StringLiteral storeOption = "counters-in";
constexpr InstrumentationOption::Value stores[] = {{"globals", "in globals: fastest"},
                                                   {"memory", "in an additional memory"},
                                                   {"auto", "memory for threads or many counters"}};
constexpr InstrumentationOption countsOptions[] = {
    {"counters", "Which runs of code 'counts' counts (default: tree)", choices},
    {storeOption, "Where 'counts' keeps its counters (default: globals)", stores}};

class CountsInstrumentation : public Instrumentation {
public:
  ArrayRef<InstrumentationOption> options() const override { return countsOptions; }
  Error setOption(StringRef name, StringRef value) override {
    if (name == storeOption)
      store_ = value == "globals"  ? makeCounterGlobals()
               : value == "memory" ? makeCounterMemory()
                                   : nullptr;
    else
      options_.choice = value == "all" ? CounterChoice::all : CounterChoice::tree;
    return Error::success();
  }
  InstrumentationNeeds needs() const override {
    return {.code = true, .unwinding = options_.choice == CounterChoice::tree, .codeMap = true};
  }
  Error declare(ModuleDeclarations &declarations) override;
  void instrumentCode(uint32_t function, wasm::CodeInsertions &insertions) const override;
  void instrumentUnwinding(uint32_t function, wasm::CodeSequence &code) const override;

private:
  void countLandings(uint32_t body, const FlowBranch &branch, ArrayRef<PlannedCounter> counters,
                     uint32_t first, wasm::CodeSequence &code) const;
  void countArm(const FlowBranch &branch, ArrayRef<uint32_t> labels, uint32_t number,
                wasm::CodeSequence &code) const;

  CountingOptions options_;
  const wasm::Module *module_ = nullptr;
  CounterPlan plan_;
  /// Null until the module is known if the store depends on it.
  std::unique_ptr<CounterStore> store_ = makeCounterGlobals();
  wasm::CodeSequence one_;
  /// Holds the operand of a `br_table` meanwhile.
  wasm::GlobalRef operand_;
};

} // namespace

Error CountsInstrumentation::declare(ModuleDeclarations &declarations) {
  module_ = declarations.module().original;
  options_.countsExceptions =
      options_.choice == CounterChoice::tree && declarations.module().catchesExceptions;
  auto plan = planCounters(*module_, options_);
  if (!plan)
    return plan.takeError();
  plan_ = std::move(*plan);
  if (!store_)
    store_ = makeFittingStore(*module_, plan_.counters);
  one_.i64Const(1);
  operand_ = declarations.addGlobal(wasm::ValueType::i32, true, 0);
  wasm::CodeSequence trap;
  trap.raw("unreachable"_op);
  if (Error error = declarations.addExportedFunction(trapExport, {}, {}, trap).takeError())
    return error;
  CountData data;
  data.moduleHash = declarations.module().originalHash;
  data.options = options_;
  data.fingerprint = plan_.fingerprint;
  data.instances = 1;
  wasm::Artifact artifact;
  artifact.format = wasm::countFileFormat.str();
  artifact.extension = countFileExtension.str();
  artifact.description = "how often everything was executed";
  artifact.head = encodeCountHead(data, plan_.counters);
  if (Error error = store_->declare(declarations, plan_.counters, artifact))
    return error;
  declarations.addArtifact(std::move(artifact));
  return Error::success();
}

// Another table that leads to a landing for each counted arm, where it is counted. The original
// table stays behind it, where nothing arrives.
//
//   global.set block block global.get br_table …
//   end count the first arm br … end count the second one br …
//
// Blocks with a parameter would need no global, but neither old engines nor Binaryen 108 take them.
void CountsInstrumentation::countLandings(uint32_t body, const FlowBranch &branch,
                                          ArrayRef<PlannedCounter> counters, uint32_t first,
                                          wasm::CodeSequence &code) const {
  // The planner has read it, and knows neither labels nor more than the arm of each.
  ByteCursor cursor = module_->bodies[body].cursor();
  cursor.skip(branch.offset + 1);
  cursor.uleb32();
  SmallVector<uint32_t, 8> labelOf(branch.arms.size()), landingOf(branch.arms.size(), UINT32_MAX);
  for (uint32_t arm : branch.armOfLabel)
    labelOf[arm] = cursor.uleb32();
  auto landings = uint32_t(counters.size());
  for (uint32_t i = 0; i != landings; ++i)
    landingOf[counters[i].arm] = i;
  code.globalSet(operand_);
  for (uint32_t i = 0; i != landings; ++i)
    code.raw({"block"_op, wasm::emptyBlockType});
  code.globalGet(operand_);
  SmallVector<uint8_t, 64> bytes;
  ByteWriter writer(bytes);
  writer.u8("br_table"_op);
  writer.uleb(branch.armOfLabel.size() - 1);
  for (uint32_t arm : branch.armOfLabel)
    writer.uleb(landingOf[arm] != UINT32_MAX ? landingOf[arm] : labelOf[arm] + landings);
  code.raw(bytes);
  for (uint32_t i = 0; i != landings; ++i) {
    code.raw("end"_op);
    store_->add(first + i, one_, code);
    bytes.clear();
    writer.u8("br"_op);
    writer.uleb(labelOf[counters[i].arm] + landings - 1 - i);
    code.raw(bytes);
  }
}

// Adds 1 to the counter if the operand of the table, which is on the stack, selects one of these
// labels.
void CountsInstrumentation::countArm(const FlowBranch &branch, ArrayRef<uint32_t> labels,
                                     uint32_t number, wasm::CodeSequence &code) const {
  wasm::CodeSequence chosen;
  auto last = uint32_t(branch.armOfLabel.size() - 1);
  bool isFirst = true;
  for (uint32_t label : labels) {
    chosen.globalGet(operand_).i32Const(int32_t(label));
    chosen.raw(label == last ? "i32.ge_u"_op : "i32.eq"_op);
    if (!isFirst)
      chosen.raw("i32.or"_op);
    isFirst = false;
  }
  chosen.raw("i64.extend_i32_u"_op);
  code.globalSet(operand_).globalGet(operand_);
  store_->add(number, chosen, code);
}

// The labels of each arm of a table.
static std::vector<SmallVector<uint32_t, 1>> labelsByArm(const FlowBranch &branch) {
  std::vector<SmallVector<uint32_t, 1>> labels(branch.arms.size());
  for (auto [label, arm] : enumerate(branch.armOfLabel))
    labels[arm].push_back(uint32_t(label));
  return labels;
}

void CountsInstrumentation::instrumentCode(uint32_t function,
                                           wasm::CodeInsertions &insertions) const {
  uint32_t number = function - module_->importedFunctionCount();
  const CounterPlan::Function &plan = plan_.functions[number];
  bool countsArms = llvm::any_of(
      plan.counters, [](const PlannedCounter &counter) { return !counter.countsRun(); });
  std::vector<FlowBranch> branches;
  if (countsArms) {
    wasm::FuelCosts costs;
    FlowGraphFinder finder(costs, options_.choice == CounterChoice::all);
    branches = cantFail(finder.find(module_->bodies[number], module_->fileName)).branches;
  }
  // Counters of one table are consecutive.
  const FlowBranch *table = nullptr;
  std::vector<SmallVector<uint32_t, 1>> labels;
  if (plan.traits)
    insertions.setTraits(*plan.traits);
  for (size_t i = 0; i != plan.counters.size(); ++i) {
    const PlannedCounter &counter = plan.counters[i];
    uint32_t each = plan.first + uint32_t(i);
    wasm::CodeSequence &code = insertions.at(counter.offset);
    if (counter.countsRun()) {
      store_->add(each, one_, code);
      continue;
    }
    const FlowBranch &branch = branches[counter.subject];
    if (branch.takesNoValues) {
      ArrayRef<PlannedCounter> ofTable =
          plan.counters.drop_front(i).take_while([&](const PlannedCounter &other) {
            return !other.countsRun() && other.offset == counter.offset;
          });
      countLandings(number, branch, ofTable, each, code);
      i += ofTable.size() - 1;
      continue;
    }
    if (table != &branch)
      labels = labelsByArm(branch);
    table = &branch;
    countArm(branch, labels[counter.arm], each, code);
  }
}

void CountsInstrumentation::instrumentUnwinding(uint32_t function, wasm::CodeSequence &code) const {
  const CounterPlan::Function &plan = plan_.functions[function - module_->importedFunctionCount()];
  if (plan.countsExceptions)
    store_->add(plan.exceptions(), one_, code);
}

static warpo::Registry<Instrumentation>::Add<CountsInstrumentation>
    registration("counts", "exact counts of how often each part of the code runs");
