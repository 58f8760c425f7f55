//===- CounterStores.cpp --------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0

#include "CounterStore.h"
#include "MemoryAccess.h"
#include "warpo/Support/Errors.h"
#include "warpo/Wasm/OpcodeNames.h"

using namespace llvm;
using namespace warpo;
using namespace warpo::wasm::opcode_names;

static wasm::CodeSequence one() { return wasm::CodeSequence().i64Const(1); }

namespace {

/// V8 allows a million globals, including those of the module itself and of other instrumentations.
constexpr uint64_t maxGlobals = 900'000;
/// Counters that fit into a memory with 32-bit addresses.
constexpr uint64_t maxInMemory = (uint64_t(1) << 32) / 8;
constexpr StringLiteral readerExport = "__warpo_counter";
constexpr StringLiteral memoryExport = "__warpo_counters";

class CounterGlobals : public CounterStore {
public:
  Error declare(ModuleDeclarations &declarations, uint32_t counters,
                wasm::Artifact &artifact) override;
  void add(uint32_t counter, const wasm::CodeSequence &number,
           wasm::CodeSequence &code) const override;
  void addOne(uint32_t counter, wasm::CodeSequence &code) const override {
    code.append(toFirst_, counter);
  }
  void insertOne(uint32_t counter, uint32_t offset,
                 wasm::CodeInsertions &insertions) const override {
    insertions.insert(offset, toFirst_, counter);
  }

private:
  wasm::GlobalRef first_;
  /// Adds 1 to the first counter: a module gets a million of these.
  wasm::CodeSequence toFirst_;
};

/// Each instance has its own memory, even if threads share the program's memory, so nothing has to
/// be atomic. If the program's memory is shared, other threads can read this one after its thread
/// was terminated.
class CounterMemory : public CounterStore {
public:
  Error declare(ModuleDeclarations &declarations, uint32_t counters,
                wasm::Artifact &artifact) override;
  void add(uint32_t counter, const wasm::CodeSequence &number,
           wasm::CodeSequence &code) const override;
  void addOne(uint32_t counter, wasm::CodeSequence &code) const override {
    add(counter, one(), code);
  }

private:
  uint32_t memory_ = 0;
};

} // namespace

static bool fitInGlobals(const wasm::Module &module, uint32_t counters) {
  return counters <= maxGlobals && module.globalCount <= maxGlobals - counters;
}

Error CounterGlobals::declare(ModuleDeclarations &declarations, uint32_t counters,
                              wasm::Artifact &artifact) {
  const wasm::Module &module = *declarations.module().original;
  if (!fitInGlobals(module, counters))
    return fileError(module.fileName, countOf(counters, "counter") + " beside the " +
                                          countOf(module.globalCount, "global") +
                                          " of the module are more than " + Twine(maxGlobals) +
                                          ", and engines take a million (--counters-in=memory has "
                                          "room for them)");
  first_ = declarations.addGlobals(counters, wasm::ValueType::i64, true, 0);
  add(0, one(), toFirst_);
  artifact.access = wasm::Artifact::Access::function;
  artifact.exports = {readerExport.str()};
  artifact.type = wasm::ValueType::i64;
  artifact.count = counters;
  return declarations.addExportedNumbers(readerExport, wasm::ValueType::i64, first_, counters);
}

void CounterGlobals::add(uint32_t counter, const wasm::CodeSequence &number,
                         wasm::CodeSequence &code) const {
  wasm::GlobalRef global{first_.origin, first_.index + counter};
  code.globalGet(global);
  code.append(number);
  code.raw("i64.add"_op).globalSet(global);
}

Error CounterMemory::declare(ModuleDeclarations &declarations, uint32_t counters,
                             wasm::Artifact &artifact) {
  if (counters > maxInMemory)
    return fileError(declarations.module().original->fileName,
                     countOf(counters, "counter") + " are more than a memory has room for");
  uint64_t size = uint64_t(counters) * 8;
  auto memory = declarations.addMemory(memoryExport, size, {});
  if (!memory)
    return memory.takeError();
  memory_ = *memory;
  artifact.access = wasm::Artifact::Access::memory;
  artifact.exports = {memoryExport.str()};
  artifact.size = size;
  return Error::success();
}

void CounterMemory::add(uint32_t counter, const wasm::CodeSequence &number,
                        wasm::CodeSequence &code) const {
  constexpr uint8_t alignment = 3;
  uint64_t offset = uint64_t(counter) * 8;
  code.i32Const(0).i32Const(0);
  accessMemory(code, "i64.load"_op, alignment, memory_, offset);
  code.append(number);
  code.raw("i64.add"_op);
  accessMemory(code, "i64.store"_op, alignment, memory_, offset);
}

std::unique_ptr<CounterStore> warpo::makeCounterGlobals() {
  return std::make_unique<CounterGlobals>();
}

std::unique_ptr<CounterStore> warpo::makeCounterMemory() {
  return std::make_unique<CounterMemory>();
}

std::unique_ptr<CounterStore> warpo::makeFittingStore(const wasm::Module &module,
                                                      uint32_t counters) {
  return module.hasSharedMemory || !fitInGlobals(module, counters) ? makeCounterMemory()
                                                                   : makeCounterGlobals();
}
