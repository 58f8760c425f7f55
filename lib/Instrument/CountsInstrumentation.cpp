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

/// A `br_table`. The planner has read it.
struct Table {
  Table(const wasm::ByteRange &body, uint32_t offset);

  SmallVector<uint32_t, 16> labels;
  std::vector<uint32_t> armOfLabel;
};

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
  void countTable(const wasm::ByteRange &body, ArrayRef<PlannedCounter> counters, uint32_t first,
                  wasm::CodeInsertions &insertions) const;
  void countLandings(const Table &table, ArrayRef<PlannedCounter> counters, uint32_t first,
                     wasm::CodeSequence &code) const;
  void countArm(const Table &table, ArrayRef<uint32_t> labels, uint32_t number,
                wasm::CodeSequence &code) const;

  CountingOptions options_;
  const wasm::Module *module_ = nullptr;
  CounterPlan plan_;
  /// Null until the module is known if the store depends on it.
  std::unique_ptr<CounterStore> store_ = makeCounterGlobals();
  /// Holds the operand of a `br_table` meanwhile.
  wasm::GlobalRef operand_;
};

} // namespace

Table::Table(const wasm::ByteRange &body, uint32_t offset) {
  ByteCursor cursor = body.cursor();
  cursor.skip(offset + 1);
  labels.resize_for_overwrite(cursor.uleb32() + 1);
  for (uint32_t &label : labels)
    label = cursor.uleb32();
  armOfLabel = armsOfTable(labels);
}

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
void CountsInstrumentation::countLandings(const Table &table, ArrayRef<PlannedCounter> counters,
                                          uint32_t first, wasm::CodeSequence &code) const {
  // There are at most as many arms as labels.
  SmallVector<uint32_t, 16> labelOf(table.labels.size()),
      landingOf(table.labels.size(), UINT32_MAX);
  for (auto [label, arm] : zip_equal(table.labels, table.armOfLabel))
    labelOf[arm] = label;
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
  writer.uleb(table.labels.size() - 1);
  for (uint32_t arm : table.armOfLabel)
    writer.uleb(landingOf[arm] != UINT32_MAX ? landingOf[arm] : labelOf[arm] + landings);
  code.raw(bytes);
  for (uint32_t i = 0; i != landings; ++i) {
    code.raw("end"_op);
    store_->addOne(first + i, code);
    bytes.clear();
    writer.u8("br"_op);
    writer.uleb(labelOf[counters[i].arm] + landings - 1 - i);
    code.raw(bytes);
  }
}

// Adds 1 to the counter if the operand of the table, which is on the stack, selects one of these
// labels.
void CountsInstrumentation::countArm(const Table &table, ArrayRef<uint32_t> labels, uint32_t number,
                                     wasm::CodeSequence &code) const {
  wasm::CodeSequence chosen;
  bool isFirst = true;
  for (uint32_t i : labels) {
    chosen.globalGet(operand_).i32Const(int32_t(i));
    chosen.raw(i + 1 == table.labels.size() ? "i32.ge_u"_op : "i32.eq"_op);
    if (!isFirst)
      chosen.raw("i32.or"_op);
    isFirst = false;
  }
  chosen.raw("i64.extend_i32_u"_op);
  code.globalSet(operand_).globalGet(operand_);
  store_->add(number, chosen, code);
}

// `counters` are those of its arms.
void CountsInstrumentation::countTable(const wasm::ByteRange &body,
                                       ArrayRef<PlannedCounter> counters, uint32_t first,
                                       wasm::CodeInsertions &insertions) const {
  uint32_t offset = counters.front().offset;
  Table table(body, offset);
  if (counters.front().hasLanding)
    return countLandings(table, counters, first, insertions.at(offset));
  std::vector<SmallVector<uint32_t, 1>> labelsOf(table.labels.size());
  for (auto [label, arm] : enumerate(table.armOfLabel))
    labelsOf[arm].push_back(uint32_t(label));
  for (auto [i, counter] : enumerate(counters))
    countArm(table, labelsOf[counter.arm], first + uint32_t(i), insertions.at(offset));
}

void CountsInstrumentation::instrumentCode(uint32_t function,
                                           wasm::CodeInsertions &insertions) const {
  uint32_t number = function - module_->importedFunctionCount();
  const CounterPlan::Function &plan = plan_.functions[number];
  if (plan.traits)
    insertions.setTraits(*plan.traits);
  ArrayRef<PlannedCounter> rest = plan.counters;
  for (uint32_t each = plan.first; !rest.empty();) {
    uint32_t offset = rest.front().offset;
    if (rest.front().countsRun()) {
      store_->insertOne(each++, offset, insertions);
      rest = rest.drop_front();
      continue;
    }
    ArrayRef<PlannedCounter> ofTable = rest.take_while([&](const PlannedCounter &counter) {
      return !counter.countsRun() && counter.offset == offset;
    });
    countTable(module_->bodies[number], ofTable, each, insertions);
    each += uint32_t(ofTable.size());
    rest = rest.drop_front(ofTable.size());
  }
}

void CountsInstrumentation::instrumentUnwinding(uint32_t function, wasm::CodeSequence &code) const {
  const CounterPlan::Function &plan = plan_.functions[function - module_->importedFunctionCount()];
  if (plan.countsExceptions)
    store_->addOne(plan.exceptions(), code);
}

static warpo::Registry<Instrumentation>::Add<CountsInstrumentation>
    registration("counts", "exact counts of how often each part of the code runs");
