//===- ModuleFuzzer.cpp - Any bytes through the rewriter ------------------===//
// SPDX-License-Identifier: Apache-2.0
//
// Whatever the rewriter takes and wabt finds valid must come out valid, the same at each time, with
// code that our own reader takes, in memory that is in proportion to the module. So must what comes
// of its functions in another order; put back, they are what they were without one.
//
//===----------------------------------------------------------------------===//

#include "MemoryMeter.h"
#include "WabtJudge.h"
#include "warpo/Instrument/ModuleInstrumenter.h"
#include "warpo/Wasm/BodyHash.h"
#include "warpo/Wasm/CodeWalker.h"
#include <cstdio>
#include <cstdlib>

using namespace llvm;
using namespace warpo;

static void fail(StringRef what, StringRef why) {
  std::fprintf(stderr, "%s: %s\n", what.str().c_str(), why.str().c_str());
  std::abort();
}

// The shortest import has 4 bytes, and takes about 170: its thunk, its name in the mapping, its
// place in the tables. What grows faster than the module is found all the same.
// A straight run of two bytes takes 24 in memory, where several lists of them may stand for a
// moment, and 10 in the result.
static constexpr size_t maxMemory(size_t moduleSize, bool hasRuns) {
  return (hasRuns ? 80 : 10) * moduleSize + (4 << 20);
}

static Expected<InstrumentedModule> instrument(ArrayRef<uint8_t> input,
                                               const InstrumentOptions &options) {
  MemoryMeter meter;
  auto result = instrumentModule(input, "module", options);
  if (meter.peak() > maxMemory(input.size(), options.instrumentations.front() != "trace"))
    fail("too much memory", std::to_string(meter.peak()) + " bytes");
  return result;
}

/// Whether an atomic access states its memory order. wabt does not know that, and does not notice:
/// it takes the bit for an alignment, of which it then looks at the lowest five bits only.
static bool hasMemoryOrders(ArrayRef<uint8_t> bytes) {
  enum : uint8_t { atomicPrefix = 0xfe, orderFlag = 0x20 };
  wasm::Module module = cantFail(wasm::readModule(bytes, "module"));
  for (const wasm::ByteRange &body : module.bodies) {
    ByteCursor cursor = body.cursor();
    wasm::skipLocals(cursor);
    wasm::CodeWalker walker(cursor);
    for (wasm::Instruction instruction; walker.next(instruction);)
      if (*instruction.begin == atomicPrefix && instruction.immediates != instruction.end &&
          (*instruction.immediates & orderFlag))
        return true;
  }
  return false;
}

static Expected<SmallVector<uint8_t, 0>> reorder(const wasm::Module &module,
                                                 const wasm::FunctionPermutation &permutation) {
  wasm::ModuleEditor editor(module, permutation);
  SmallVector<uint8_t, 0> out;
  auto statistics = editor.write([](uint32_t, wasm::FunctionEdit &) {}, out);
  if (!statistics)
    return statistics.takeError();
  return out;
}

static void checkOrders(ArrayRef<uint8_t> input) {
  auto module = wasm::readModule(input, "module");
  if (!module)
    return consumeError(module.takeError());
  std::vector<uint32_t> front;
  for (uint32_t i = module->functionCount(); i-- > module->importedFunctionCount();)
    if ((i * 2654435761u + input.size()) & 0x10000)
      front.push_back(i);
  auto permutation = cantFail(wasm::FunctionPermutation::create(*module, front));
  auto unchanged = reorder(*module, cantFail(wasm::FunctionPermutation::create(*module, {})));
  auto changed = reorder(*module, permutation);
  if (bool(unchanged) != bool(changed))
    fail("reordered", "one order is refused and another is not");
  if (!changed) {
    consumeError(changed.takeError());
    return consumeError(unchanged.takeError());
  }
  auto reordered = wasm::readModule(*changed, "reordered");
  if (!reordered)
    fail("reordered", toString(reordered.takeError()));
  if (!hasMemoryOrders(input) && wabtComplaint(input.data(), input.size()) == "") {
    auto complaint = wabtComplaint(changed->data(), changed->size());
    if (complaint && !complaint->empty())
      fail("a valid module became invalid by an order", *complaint);
    std::vector<uint32_t> places;
    for (uint32_t i = module->importedFunctionCount(); i != module->functionCount(); ++i)
      places.push_back(permutation.newIndex(i));
    auto back =
        reorder(*reordered, cantFail(wasm::FunctionPermutation::create(*reordered, places)));
    if (!back)
      fail("put back", toString(back.takeError()));
    auto original = wasm::readModule(*unchanged, "unchanged");
    auto result = wasm::readModule(*back, "put back");
    if (!original || !result || original->bodies.size() != result->bodies.size())
      fail("put back", "other functions");
    for (auto [before, after] : zip_equal(original->bodies, result->bodies))
      if (wasm::hashBody(before.bytes) != wasm::hashBody(after.bytes))
        fail("put back", "other code");
  }
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  ArrayRef<uint8_t> input(bytes, size);
  checkOrders(input);
  InstrumentOptions options;
  options.selection.all = true;
  options.importThunks = size % 2;
  options.unwinding = size % 3 ? Unwinding::automatic : Unwinding::none;
  static const std::vector<std::string> instrumentations[] = {
      {"trace"}, {"fuel", "trace"}, {"sample"},         {"fuel-limit", "sample", "trace"},
      {"order"}, {"counts"},        {"counts", "trace"}};
  options.instrumentations = instrumentations[size / 6 % std::size(instrumentations)];
  if (size % 5 == 0 && is_contained(options.instrumentations, "sample"))
    options.given = {{"stack", "engine"}};
  if (options.instrumentations.front() == "counts")
    options.given = {{"counters", size % 4 ? "tree" : "all"},
                     {"counters-in", size % 7 ? "globals" : "memory"}};
  auto result = instrument(input, options);
  if (!result) {
    consumeError(result.takeError());
    return 0;
  }
  auto again = instrumentModule(input, "module", options);
  if (!again || again->bytes != result->bytes)
    fail("instrumented twice", "the results differ");
  auto module = wasm::readModule(result->bytes, "result");
  if (!module)
    fail("result", toString(module.takeError()));
  if (!hasMemoryOrders(input) && wabtComplaint(bytes, size) == "") {
    auto complaint = wabtComplaint(result->bytes.data(), result->bytes.size());
    if (complaint && !complaint->empty())
      fail("a valid module became invalid", *complaint);
  }
  return 0;
}
